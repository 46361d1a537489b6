// metadata.c - metadata = tvm.ir.load_json("""..."""): large constants as TVM writes them, a JSON graph of numbered
// objects with tensors in base64. Read with the lexer of all our texts; only constants are taken from it.
#include "base/bytes.h"
#include "text/reader.h"
#include <string.h>

typedef struct json_object {
    const char *type; // "relax.expr.Constant", NULL: not read yet
    const char *text; // "data" where it is a string
    size_t text_size;
    VEC(int64_t) number; // "data" where it is a list of numbers
    int64_t data_field;  // data.data of a constant
} json_object;

struct metadata {
    VEC(json_object) object;
    int64_t root;
    map tensors; // object number + 1 -> tensor, made on first use
};

typedef struct json_reader {
    reader *r;
    lexer *lex;
    struct metadata *m;
} json_reader;

static bool json_take(json_reader *j, const char *sign) {
    if (!token_is(lexer_peek(j->lex, 0), sign)) return false;
    lexer_next(j->lex);
    return true;
}

// Over one value of any kind. Depth is counted, not recursed.
static bool json_skip(json_reader *j) {
    uint32_t open = 0;
    do {
        token t = lexer_next(j->lex);
        if (t.kind == TOKEN_END || t.kind == TOKEN_ERROR) return false;
        if (token_is(&t, "{") || token_is(&t, "[")) open++;
        if (token_is(&t, "}") || token_is(&t, "]")) {
            if (!open) return false;
            open--;
        }
        if (token_is(&t, "-")) lexer_next(j->lex);
    } while (open);
    return true;
}

// After "{" or ",": a key and its colon. False at "}".
static bool json_key(json_reader *j, token *key) {
    if (json_take(j, "}")) return false;
    *key = lexer_next(j->lex);
    return key->kind == TOKEN_STRING && json_take(j, ":");
}

static bool key_is(const token *key, const char *name) {
    return key->str_size == strlen(name) && memcmp(key->str, name, key->str_size) == 0;
}

static bool json_int(json_reader *j, int64_t *out) {
    token t = lexer_next(j->lex);
    *out = (int64_t)t.ival;
    return t.kind == TOKEN_INT && !t.int_too_big && t.ival <= INT32_MAX;
}

static bool read_number_list(json_reader *j, json_object *o) {
    while (!json_take(j, "]")) {
        int64_t n;
        if (!json_int(j, &n)) return false;
        VEC_PUSH(j->r->scratch, &o->number, n);
        json_take(j, ",");
    }
    return true;
}

static bool read_fields(json_reader *j, json_object *o) {
    for (token key; json_key(j, &key); json_take(j, ",")) {
        bool is_data = key_is(&key, "data") && lexer_peek(j->lex, 0)->kind == TOKEN_INT;
        if (is_data ? !json_int(j, &o->data_field) : !json_skip(j)) return false;
    }
    return true;
}

static bool read_data(json_reader *j, json_object *o) {
    const token *t = lexer_peek(j->lex, 0);
    if (t->kind == TOKEN_STRING) {
        token s = lexer_next(j->lex);
        o->text = s.str;
        o->text_size = s.str_size;
        return true;
    }
    if (json_take(j, "{")) return read_fields(j, o);
    bool numbers =
        token_is(t, "[") && (lexer_peek(j->lex, 1)->kind == TOKEN_INT || token_is(lexer_peek(j->lex, 1), "]"));
    if (!numbers) return json_skip(j);
    json_take(j, "[");
    return read_number_list(j, o);
}

static bool read_object(json_reader *j) {
    json_object o = {.data_field = -1};
    if (!json_take(j, "{")) return false;
    for (token key; json_key(j, &key); json_take(j, ",")) {
        if (key_is(&key, "data")) {
            if (!read_data(j, &o)) return false;
        } else if (key_is(&key, "type") && lexer_peek(j->lex, 0)->kind == TOKEN_STRING) {
            o.type = lexer_next(j->lex).str;
        } else if (!json_skip(j)) {
            return false;
        }
    }
    VEC_PUSH(j->r->scratch, &j->m->object, o);
    return true;
}

static bool read_root(json_reader *j) {
    if (!json_take(j, "{")) return false;
    for (token key; json_key(j, &key); json_take(j, ",")) {
        if (key_is(&key, "root_index")) {
            if (!json_int(j, &j->m->root)) return false;
        } else if (key_is(&key, "nodes") && json_take(j, "[")) {
            while (!json_take(j, "]")) {
                if (!read_object(j)) return false;
                json_take(j, ",");
            }
        } else if (!json_skip(j)) {
            return false;
        }
    }
    return lexer_peek(j->lex, 0)->kind == TOKEN_END;
}

bool read_metadata(reader *r) {
    loc at = peek(r)->at;
    value v = read_expression(r);
    if (v.kind != VAL_STRING || !expect(r, ")")) return syntax_error(r, at, "metadata: want a string of JSON");
    source *src = ARENA_NEW(r->scratch, source, 1);
    *src = (source){.name = r->src->name, .bytes = v.as.text.bytes, .size = v.as.text.size};
    struct metadata *m = ARENA_NEW(r->scratch, struct metadata, 1);
    m->tensors = MAP_IN(r->scratch);
    json_reader j = {.r = r, .m = m};
    j.lex = lexer_new(r->scratch, src, diag_new(r->scratch), (lexer_options){0});
    if (!read_root(&j)) return diag_error(r->d, at, "metadata: this JSON is not what TVM writes");
    r->metadata = m;
    return true;
}

// --- Tensors in base64.
static int base64_digit(char c) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *at = c ? strchr(digits, c) : NULL;
    return at ? (int)(at - digits) : -1;
}

static const uint8_t *decode_base64(arena *mem, const char *digits, size_t size, size_t *out_size) {
    uint8_t *out = ARENA_NEW(mem, uint8_t, size / 4 * 3 + 3);
    uint32_t bits = 0, count = 0;
    size_t len = 0;
    for (size_t i = 0; i < size && digits[i] != '='; i++) {
        if (digits[i] == '\\') continue; // JSON may write / as \/
        int digit = base64_digit(digits[i]);
        if (digit < 0) return NULL;
        bits = bits << 6 | (uint32_t)digit;
        if (++count % 4 == 0)
            for (int shift = 16; shift >= 0; shift -= 8) out[len++] = (uint8_t)(bits >> shift);
    }
    if (count % 4 == 1) return NULL;
    if (count % 4 >= 2) out[len++] = (uint8_t)(bits >> (count % 4 == 2 ? 4 : 10));
    if (count % 4 == 3) out[len++] = (uint8_t)(bits >> 2);
    *out_size = len;
    return out;
}

// The layout of TVM's saved tensors: magic and reserved (8 bytes each), device (8), rank (4), dtype (4), dims (8 each),
// byte count (8), data.
static tensor *parse_tensor(const uint8_t *bytes, size_t size) {
    enum { HEAD = 32 };
    static const uint64_t magic = 0xDD5E40F096B4A13Full;
    int64_t dim[TENSOR_MAX_RANK];
    dtype type;
    if (size < HEAD || bytes_get(bytes, 8) != magic) return NULL;
    uint32_t rank = (uint32_t)bytes_get(bytes + 24, 4);
    if (rank > TENSOR_MAX_RANK || size < HEAD + 8 * (size_t)rank + 8) return NULL;
    if (!dtype_from_dlpack(bytes[28], bytes[29], (uint16_t)bytes_get(bytes + 30, 2), &type)) return NULL;
    for (uint32_t i = 0; i < rank; i++) dim[i] = (int64_t)bytes_get(bytes + HEAD + 8 * i, 8);
    const uint8_t *data = bytes + HEAD + 8 * (size_t)rank;
    size_t left = size - (size_t)(data + 8 - bytes);
    int64_t count = 1;
    for (uint32_t i = 0; i < rank; i++) // no bigger than what follows, so that a lie allocates nothing
        if (dim[i] < 0 || (dim[i] && count > (int64_t)(8 * left + 8) / dim[i]))
            return NULL;
        else
            count *= dim[i];
    tensor *t = NULL;
    if (bytes_get(data, 8) > left || tensor_new(type, rank, dim, &t) != RX_OK) return NULL;
    if (t->bytes > bytes_get(data, 8)) return tensor_release(t), NULL;
    memcpy(t->data, data + 8, t->bytes);
    return t;
}

// --- metadata["relax.expr.Constant"][i]
static const json_object *object_at(const struct metadata *m, int64_t i) {
    return i >= 0 && i < (int64_t)m->object.len ? &m->object.at[i] : NULL;
}

// The list that the root map has under `key`.
static const json_object *find_list(const struct metadata *m, const value *key) {
    const json_object *root = object_at(m, m->root);
    for (uint32_t i = 0; root && i + 1 < root->number.len; i += 2) {
        const json_object *name = object_at(m, root->number.at[i]);
        if (name && name->text && name->text_size == key->as.text.size &&
            memcmp(name->text, key->as.text.bytes, name->text_size) == 0)
            return object_at(m, root->number.at[i + 1]);
    }
    return NULL;
}

static tensor *find_tensor(reader *r, const value *key, int64_t index) {
    const json_object *list = find_list(r->metadata, key);
    if (!list || index < 0 || index >= (int64_t)list->number.len) return NULL;
    const json_object *constant = object_at(r->metadata, list->number.at[index]);
    const json_object *data = constant ? object_at(r->metadata, constant->data_field) : NULL;
    size_t size = 0;
    const uint8_t *bytes = data && data->text ? decode_base64(r->scratch, data->text, data->text_size, &size) : NULL;
    return bytes ? parse_tensor(bytes, size) : NULL;
}

value read_metadata_item(reader *r, loc at) {
    take(r, "[");
    value key = read_expression(r);
    if (!expect(r, "]") || !expect(r, "[")) return poison_at(at);
    value index = read_expression(r);
    int64_t i;
    if (!expect(r, "]") || key.kind != VAL_STRING || !to_int(r, &index, &i, "metadata")) return poison_at(at);
    if (!r->b || !r->metadata) {
        diag_error(r->d, at, "this text has no metadata; print the module with script(show_meta=True)");
        return poison_at(at);
    }
    tensor *t = find_tensor(r, &key, i);
    if (!t) {
        diag_error(r->d, at, "the metadata has no constant %lld", (long long)i);
        return poison_at(at);
    }
    const node *n = build_constant(r->b, t);
    tensor_release(t);
    return value_node(at, n);
}
