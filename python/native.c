// native.c - the Python package's short way into the runtime: what a call with tensors costs is this file.
//
// All of it is there through cffi too (executable.py, values.py): 6 us a call with tensors of ours, 32 with two arrays;
// here 1 and 2. Arguments that this file doesn't know, and failures, are left to that way. Optional, and one file for
// every Python from 3.11 on. Everything runs under the interpreter's lock but the call itself.
#define Py_LIMITED_API 0x030b0000
#include <Python.h>

#include "relax/runtime.h"
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { ARGUMENTS = 64, RANK = 16 };

_Static_assert(sizeof(Py_ssize_t) == sizeof(int64_t), "dims are handed to Python as they lie");

// A relax_c.Tensor, which is a subclass: one reference to a value, NULL before __init__ took one over.
typedef struct owner {
    PyObject ob_base;
    rx_value *value;
} owner;

typedef struct state {
    PyObject *owner;  // the type of the above
    PyObject *tensor; // relax_c.Tensor; NULL before setup()
    PyObject *other;  // a Python value for the address of a value that is none, whose reference it takes over
    PyObject *array;  // numpy.ndarray; NULL: not looked up yet
} state;

typedef struct dtype_code {
    const char *name;
    char code; // as the struct module and PEP 3118 spell it; NumPy's kind is the first letter of the name
    int bytes;
} dtype_code;

static const dtype_code codes[] = {
    {"float32", 'f', 4}, {"int64", 'l', 8},  {"float16", 'e', 2}, {"float64", 'd', 8}, {"int32", 'i', 4},
    {"bool", '?', 1},    {"int8", 'b', 1},   {"uint8", 'B', 1},   {"int16", 'h', 2},   {"uint16", 'H', 2},
    {"uint32", 'I', 4},  {"uint64", 'L', 8}, {"int64", 'q', 8},   {"uint64", 'Q', 8},
};

_Static_assert(sizeof(long) == sizeof(int64_t), "'l' is an int64");

// --- Memory of others, as values.

// The runtime dropped its last reference to an array's memory; on any thread.
static void give_back(void *view, void *data) {
    (void)data;
    if (!Py_IsInitialized()) return; // the program ends, and its memory with it
    PyGILState_STATE lock = PyGILState_Ensure();
    PyBuffer_Release(view);
    PyGILState_Release(lock);
    free(view);
}

static const char *name_of(const Py_buffer *view) {
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
        if (view->format && view->format[0] == codes[i].code && !view->format[1]) return codes[i].name;
    return NULL;
}

// A value over a view's memory, which it holds from then on. NULL: the other way has to look at it.
static rx_value *wrap_view(Py_buffer *view) {
    const char *name = name_of(view);
    int64_t dim[RANK + 1] = {0};
    rx_value *v = NULL;
    if (!name || view->ndim > RANK || (view->itemsize && (uintptr_t)view->buf % (size_t)view->itemsize)) return NULL;
    for (int i = 0; i < view->ndim; i++) dim[i] = view->shape[i];
    if (rx_tensor_wrap(name, (uint32_t)view->ndim, dim, view->buf, give_back, view, &v)) return NULL;
    if (view->readonly && rx_tensor_set_read_only(v)) {
        rx_value_release(v);
        return NULL;
    }
    return v;
}

static rx_value *wrap_array(PyObject *array) {
    Py_buffer *view = malloc(sizeof *view);
    if (!view) return NULL;
    if (PyObject_GetBuffer(array, view, PyBUF_C_CONTIGUOUS | PyBUF_FORMAT)) {
        PyErr_Clear();
        free(view);
        return NULL;
    }
    rx_value *v = wrap_view(view);
    if (v) return v;
    PyBuffer_Release(view);
    free(view);
    return NULL;
}

// Of DLPack's DLPackExchangeAPI (1.3) as much as is used: types that have one hand over tensors by a C function.
typedef struct exchange {
    uint32_t major, minor;
    void *older, *allocate;
    int (*hand_over)(void *object, struct DLManagedTensorVersioned **out);
} exchange;

// PyTorch's views whose elements are the memory's with another sign, which DLPack can't say.
static bool is_negated(PyObject *object) {
    PyObject *answer = PyObject_CallMethod(object, "is_neg", NULL);
    bool negated = answer && PyObject_IsTrue(answer) == 1;
    PyErr_Clear();
    Py_XDECREF(answer);
    return negated;
}

// A PyTorch tensor, or whatever has that. NULL: the other way has to look at it.
static rx_value *wrap_exchanged(PyObject *object) {
    struct DLManagedTensorVersioned *handed = NULL;
    rx_value *v = NULL;
    PyObject *capsule = PyObject_GetAttrString((PyObject *)Py_TYPE(object), "__dlpack_c_exchange_api__");
    const exchange *api = capsule ? PyCapsule_GetPointer(capsule, "dlpack_exchange_api") : NULL;
    bool plain = api && api->major == 1 && !is_negated(object);
    if (plain && !api->hand_over(object, &handed) && rx_tensor_from_dlpack_versioned(handed, &v)) {
        // A tensor that the runtime refuses goes back; the deleter stands behind version and owner.
        void (*deleter)(struct DLManagedTensorVersioned *) = NULL;
        memcpy(&deleter, (const char *)handed + 2 * sizeof(uint32_t) + sizeof(void *), sizeof deleter);
        if (deleter) deleter(handed);
    }
    PyErr_Clear();
    Py_XDECREF(capsule);
    return v;
}

// numpy.ndarray itself: subclasses may mean more than their memory says (masks). NULL where NumPy isn't loaded.
static PyObject *array_type(state *s) {
    PyObject *numpy = s->array ? NULL : PyDict_GetItemString(PyImport_GetModuleDict(), "numpy");
    if (numpy) s->array = PyObject_GetAttrString(numpy, "ndarray");
    PyErr_Clear();
    return s->array;
}

// A new reference; NULL: this is not the way for it.
static rx_value *wrap(state *s, PyObject *object) {
    if ((PyObject *)Py_TYPE(object) == array_type(s)) return wrap_array(object);
    return wrap_exchanged(object);
}

// --- Values, as Python's.

static PyObject *new_tensor(const state *s, rx_value *v) {
    PyObject *made = PyType_GenericAlloc((PyTypeObject *)s->tensor, 0);
    if (made)
        ((owner *)made)->value = v;
    else
        rx_value_release(v);
    return made;
}

// Takes over the reference.
static PyObject *python_of(const state *s, rx_value *v);

static PyObject *tuple_of(const state *s, rx_value *v) {
    uint32_t count = rx_value_count(v);
    PyObject *made = PyTuple_New(count);
    for (uint32_t i = 0; made && i < count; i++) {
        rx_value *item = NULL;
        PyObject *one = rx_value_item(v, i, &item) ? PyErr_NoMemory() : python_of(s, item);
        if (!one || PyTuple_SetItem(made, i, one)) Py_CLEAR(made);
    }
    rx_value_release(v);
    return made;
}

static PyObject *python_of(const state *s, rx_value *v) {
    if (!v) Py_RETURN_NONE;
    if (rx_value_kind(v) == RX_TENSOR) return new_tensor(s, v);
    if (rx_value_kind(v) == RX_TUPLE) return tuple_of(s, v);
    return PyObject_CallFunction(s->other, "N", PyLong_FromVoidPtr(v));
}

// --- Functions of the module.

typedef struct given {
    rx_value *value[ARGUMENTS], *wrapped[ARGUMENTS];
    uint32_t count, wraps;
} given;

// False: one of the arguments is not for this way.
static bool collect(state *s, PyObject *arguments, given *g) {
    Py_ssize_t count = PyTuple_Size(arguments);
    if (count < 0 || count > ARGUMENTS) return false;
    for (g->count = 0; g->count < count; g->count++) {
        PyObject *one = PyTuple_GetItem(arguments, g->count);
        rx_value *v = NULL;
        if ((PyObject *)Py_TYPE(one) == s->tensor)
            v = ((owner *)one)->value;
        else if ((v = wrap(s, one)))
            g->wrapped[g->wraps++] = v;
        if (!v) return false;
        g->value[g->count] = v;
    }
    return true;
}

// call(context, its address, function's number, arguments): what comes of it; NotImplemented: this is not the way.
// After a failure context._failed(status) raises.
static PyObject *call(PyObject *module, PyObject *const *argument, Py_ssize_t count) {
    state *s = PyModule_GetState(module);
    given g = {.wraps = 0};
    rx_value *result = NULL;
    rx_status status = RX_OK;
    if (count != 4 || !s->tensor) return PyErr_Format(PyExc_TypeError, "call: want 4 arguments after setup()");
    rx_context *context = PyLong_AsVoidPtr(argument[1]);
    size_t number = PyLong_AsSize_t(argument[2]);
    if (PyErr_Occurred()) return NULL;
    bool mine = collect(s, argument[3], &g);
    if (mine) {
        PyThreadState *thread = PyEval_SaveThread();
        status = rx_context_call_number(context, (uint32_t)number, g.value, g.count, &result);
        PyEval_RestoreThread(thread);
    }
    for (uint32_t i = 0; i < g.wraps; i++) rx_value_release(g.wrapped[i]);
    if (PyErr_Occurred()) return NULL;
    if (!mine) Py_RETURN_NOTIMPLEMENTED;
    return status ? PyObject_CallMethod(argument[0], "_failed", "i", (int)status) : python_of(s, result);
}

// wrap(data): a Tensor over an array's memory, or NotImplemented.
static PyObject *wrap_one(PyObject *module, PyObject *data) {
    state *s = PyModule_GetState(module);
    rx_value *v = s->tensor ? wrap(s, data) : NULL;
    if (!v) Py_RETURN_NOTIMPLEMENTED;
    return new_tensor(s, v);
}

// setup(Tensor, other): the class of results, and what makes Python values of those that are no tensors.
static PyObject *setup(PyObject *module, PyObject *arguments) {
    state *s = PyModule_GetState(module);
    PyObject *tensor, *other;
    if (!PyArg_ParseTuple(arguments, "OO", &tensor, &other)) return NULL;
    if (!PyObject_IsSubclass(tensor, s->owner)) return PyErr_Format(PyExc_TypeError, "setup: want a subclass of Owner");
    Py_INCREF(tensor);
    Py_INCREF(other);
    Py_XDECREF(s->tensor);
    Py_XDECREF(s->other);
    s->tensor = tensor;
    s->other = other;
    Py_RETURN_NONE;
}

static PyMethodDef functions[] = {
    {"call", (PyCFunction)(void (*)(void))call, METH_FASTCALL, "what a function of a context gives"},
    {"wrap", wrap_one, METH_O, "a Tensor over an array's memory"},
    {"setup", setup, METH_VARARGS, "the class of results"},
    {NULL, NULL, 0, NULL},
};

// --- The type.

// ISO C has no cast between a function's address and void *, which is what slots hold.
static void *slot(void (*function)(void)) {
    void *address;
    memcpy(&address, &function, sizeof address);
    return address;
}

static void owner_free(PyObject *self) {
    PyTypeObject *type = Py_TYPE(self);
    void *address = PyType_GetSlot(type, Py_tp_free);
    freefunc release;
    memcpy(&release, &address, sizeof release);
    rx_value_release(((owner *)self)->value);
    release(self);
    Py_DECREF(type);
}

static PyObject *owner_take(PyObject *self, PyObject *address) {
    rx_value *v = PyLong_AsVoidPtr(address);
    if (PyErr_Occurred()) return NULL;
    rx_value_release(((owner *)self)->value);
    ((owner *)self)->value = v;
    Py_RETURN_NONE;
}

static PyObject *owner_address(PyObject *self, void *unused) {
    (void)unused;
    return PyLong_FromVoidPtr(((owner *)self)->value);
}

static const dtype_code *code_of(const char *dtype) {
    for (size_t i = 0; dtype && i < sizeof codes / sizeof *codes; i++)
        if (!strcmp(codes[i].name, dtype)) return &codes[i];
    return NULL;
}

// NumPy's array interface as a structure (its manual, "The array interface protocol"), with room for the dims.
typedef struct array_struct {
    int two, rank;
    char kind;
    int bytes, flags;
    Py_ssize_t *shape, *strides;
    void *data;
    PyObject *fields;
    Py_ssize_t room[2 * RANK];
} array_struct;
enum { ROWS_FIRST = 1, ALIGNED = 0x100, THIS_ORDER = 0x200, WRITEABLE = 0x400 };

static void drop_struct(PyObject *capsule) { free(PyCapsule_GetPointer(capsule, NULL)); }

// What numpy.asarray(t) asks for; types that have no code come over DLPack. No buffer: PyTorch takes any for a vector
// of float32.
static PyObject *owner_array_struct(PyObject *self, void *unused) {
    (void)unused;
    const rx_value *v = ((owner *)self)->value;
    const dtype_code *code = v ? code_of(rx_tensor_dtype(v)) : NULL;
    if (!code || rx_tensor_rank(v) > RANK) {
        PyErr_SetString(PyExc_AttributeError, "NumPy has no such dtype; take the tensor over DLPack");
        return NULL;
    }
    array_struct *a = malloc(sizeof *a);
    if (!a) return PyErr_NoMemory();
    *a = (array_struct){.two = 2, .rank = (int)rx_tensor_rank(v), .kind = *code->name, .bytes = code->bytes};
    a->flags = ROWS_FIRST | ALIGNED | THIS_ORDER | (rx_tensor_is_read_only(v) ? 0 : WRITEABLE);
    a->shape = a->room;
    a->strides = a->room + RANK;
    a->data = rx_tensor_data(v);
    Py_ssize_t step = code->bytes;
    for (int i = a->rank; i-- > 0; step *= a->shape[i]) {
        a->shape[i] = rx_tensor_dims(v)[i];
        a->strides[i] = step;
    }
    PyObject *capsule = PyCapsule_New(a, NULL, drop_struct);
    if (!capsule) free(a);
    return capsule;
}

static PyMethodDef owner_methods[] = {
    {"_take", owner_take, METH_O, "takes over a reference to the value at an address"},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef owner_fields[] = {
    {"_address", owner_address, NULL, "of the value, which lives as long as this", NULL},
    {"__array_struct__", owner_array_struct, NULL, "NumPy's view of the memory", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyObject *owner_type(PyObject *module) {
    PyType_Slot slots[] = {
        {Py_tp_dealloc, slot((void (*)(void))owner_free)},
        {Py_tp_methods, owner_methods},
        {Py_tp_getset, owner_fields},
        {0, NULL},
    };
    PyType_Spec spec = {
        .name = "relax_native.Owner",
        .basicsize = sizeof(owner),
        .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
        .slots = slots,
    };
    return PyType_FromModuleAndSpec(module, &spec, NULL);
}

static PyModuleDef definition = {
    PyModuleDef_HEAD_INIT,   .m_name = "relax_native", .m_doc = "The short way into the runtime.",
    .m_size = sizeof(state), .m_methods = functions,
};

PyMODINIT_FUNC PyInit_relax_native(void); // for the interpreter, which looks for the name
PyMODINIT_FUNC PyInit_relax_native(void) {
    PyObject *module = PyModule_Create(&definition);
    if (!module) return NULL;
    state *s = PyModule_GetState(module);
    *s = (state){.owner = owner_type(module)};
    if (s->owner && !PyModule_AddObjectRef(module, "Owner", s->owner)) return module;
    Py_DECREF(module);
    return NULL;
}
