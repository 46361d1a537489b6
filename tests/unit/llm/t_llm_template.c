// t_llm_template.c - the template language: one line per rule, what is refused, and the limits.
#include "llm/chat_template.h"
#include "test.h"
#include <stdio.h>
#include <stdlib.h>

static const char conversation[] = "{\"messages\": [{\"role\": \"system\", \"content\": \" Be \\u00e9\\n\"}, "
                                   "{\"role\": \"user\", \"content\": \"hi\"},"
                                   "{\"role\": \"assistant\", \"content\": null}], \"n\": 5, \"x\": 2.0, \"l\": [3, 1, "
                                   "2], \"d\": {\"z\": 1, \"a\": [null]}}";

// The text, or the message of a failure.
static rx_status render(const char *source, const char *json, char out[4096]) {
    char why[FILE_WHY] = "", *text = NULL;
    size_t size = 0;
    chat_template *t = NULL;
    chat_input input = {.json = span_of(json), .bos = span_of("<s>"), .eos = span_of("</s>"), .now = 1769418307};
    rx_status status = chat_template_new(span_of(source), &t, why);
    if (status == RX_OK) {
        status = chat_template_render(t, &input, &text, &size, why);
        chat_template_free(t);
    }
    snprintf(out, 4096, "%s", status == RX_OK ? text : why);
    free(text);
    return status;
}

typedef struct sample {
    const char *source, *want;
} sample;

static void want_all(const sample *s, size_t count, rx_status status) {
    char got[4096];
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(render(s[i].source, conversation, got), status);
        assert_string_equal(got, s[i].want);
    }
}

static void values_print_as_in_python(void **state) {
    (void)state;
    static const sample samples[] = {
        {"{{ n }} {{ x }} {{ 1e16 }} {{ 1e-5 }} {{ 0.1 + 0.2 }} {{ none }} {{ true }}",
         "5 2.0 1e+16 1e-05 0.30000000000000004 None True"},
        {"{{ messages[:2] }}", "[{'role': 'system', 'content': ' Be \xc3\xa9\\n'}, {'role': 'user', 'content': 'hi'}]"},
        {"{{ d | tojson }} {{ 'a\"\\u00e9\\n' | tojson }}", "{\"z\": 1, \"a\": [null]} \"a\\\"\xc3\xa9\\n\""},
        {"{{ d | tojson(indent=1) }}", "{\n \"z\": 1,\n \"a\": [\n  null\n ]\n}"},
        {"{{ [\"it's\", (1,), ()] }}", "[\"it's\", (1,), ()]"},
    };
    want_all(samples, COUNT(samples), RX_OK);
}

static void operators(void **state) {
    (void)state;
    static const sample samples[] = {
        {"{{ -7 // 2 }} {{ -7 % 3 }} {{ 7 / 2 }} {{ 2 ** 10 }} {{ -n ** 2 }}", "-4 2 3.5 1024 25"},
        {"{{ 1 < n < 9 }} {{ n in l }} {{ 'z' in d }} {{ 'b' not in 'abc' }}", "True False True False"},
        {"{{ 'ab'[::-1] }} {{ l[1:] }} {{ l[-1] }}|{{ l[9] }}|{{ 'h\xc3\xa9' [1] }}", "ba [1, 2] 2||\xc3\xa9"},
        {"{{ 'a' ~ 1 ~ none }} {{ 'a' 'b' }} {{ 'a' if n > 9 else 'b' }}|{{ 'a' if false }}", "a1None ab b|"},
        {"{{ missing }}|{{ missing is defined }}|{{ missing | default('d') }}|{{ '' or 'e' }}", "|False|d|e"},
    };
    want_all(samples, COUNT(samples), RX_OK);
}

static void statements(void **state) {
    (void)state;
    static const sample samples[] = {
        {"{% for m in messages if m.content %}{{ loop.index }}{{ m.role }}{{ ',' if not loop.last }}{% endfor %}",
         "1system,2user"},
        {"{% set a = 1 %}{% for i in l %}{% set a = a + i %}{{ a }}{% endfor %}{{ a }}", "4231"},
        {"{% set ns = namespace(a=1) %}{% for i in l %}{% set ns.a = ns.a + i %}{% endfor %}{{ ns.a }}", "7"},
        {"{% for i in range(9) %}{% if i == 1 %}{% continue %}{% elif i == 4 %}{% break %}{% endif %}{{ i }}{% endfor "
         "%}",
         "023"},
        {"{% macro m(a, b=2) %}{{ a }}-{{ b }};{% endmacro %}{{ m(1) }}{{ m(b=3, a=m(0)) }}", "1-2;0-2;-3;"},
        {"{% set t | upper %} q{{ n }} {% endset %}[{{ t }}]{% for i in [] %}x{% else %}none{% endfor %}",
         "[ Q5 ]none"},
        {"{% for a, (b, c) in [(1, (2, 3))] %}{{ a + b + c }}{% endfor %}", "6"},
    };
    want_all(samples, COUNT(samples), RX_OK);
}

static void white_space(void **state) {
    (void)state;
    static const sample samples[] = {
        {"a\n  {% if true %}\n  b\n  {% endif %}\nc\n\n", "a\n  b\nc\n"},
        {"a {%- if true -%}  b  {%- endif %} c", "ab c"},
        {"a\n  {%+ if true +%}\nb{% endif %}", "a\n  \nb"},
        {"a\n {# no #}\n {{- n -}} \n b", "a\n5b"},
        {"a\r\nb\r", "a\nb"},
        {"{% raw %}{{ n }}{% endraw %}", "{{ n }}"},
    };
    want_all(samples, COUNT(samples), RX_OK);
}

static void filters_and_methods(void **state) {
    (void)state;
    static const sample samples[] = {
        {"{{ messages | selectattr('role', 'equalto', 'user') | map(attribute='content') | join('+') }}", "hi"},
        {"{{ l | sort }} {{ l | sort(reverse=true) }} {{ l | max }} {{ d | dictsort }}",
         "[1, 2, 3] [3, 2, 1] 3 [('a', [None]), ('z', 1)]"},
        {"{{ messages[0].content | trim }}|{{ ' a b '.split() }}|{{ 'a,b,c'.split(',', 1) }}",
         "Be \xc3\xa9|['a', 'b']|['a', 'b,c']"},
        {"{{ '{} {1} {x}{{'.replace('{} {1} ', '').format(x=n) }} {{ '{}{}'.format(1, 'a') }}", "5{ 1a"},
        {"{{ d.get('no', 7) }}{{ d.items() | list | length }}{% for k, v in d.items() %}{{ k }}{% endfor %}", "72za"},
        {"{{ 'a\nb' | indent }} {{ '3' | int + 1 }} {{ 'abc'.startswith('ab') }} {{ 'x' is in ['x'] }}",
         "a\n    b 4 True True"},
        {"{{ strftime_now('%Y-%m-%d %H:%M') }} {{ bos_token }}{{ eos_token }}{{ add_generation_prompt }}",
         "2026-01-26 09:05 <s></s>True"},
    };
    want_all(samples, COUNT(samples), RX_OK);
}

static void raises(void **state) {
    (void)state;
    static const sample samples[] = {
        {"{% if n %}{{ raise_exception('only ' ~ n) }}{% endif %}", "only 5"},
        {"\n{{ missing.name }}", "template, line 2: 'missing' is undefined"},
        {"{{ 'a' + 1 }}", "template, line 1: unsupported operand types for +: 'str' and 'int'"},
        {"{{ l.append(1) }}", "template, line 1: a list can't be changed by a template"},
        {"{{ 1 // 0 }}", "template, line 1: division by zero"},
        {"{{ l | map(atribute='a') | join }}", "template, line 1: map wants the name of a filter or attribute='NAME'"},
        {"{{ d | tojson(indnt=1) }}", "template, line 1: tojson has no place for the argument 'indnt'"},
        {"{% if n %}", "template, line 1: want {% endif %}, got the end of the template"},
        {"a\n{{ 1 + }}", "template, line 2: want an expression, got }}"},
    };
    want_all(samples, COUNT(samples), RX_INVALID_ARGUMENT);
}

static void refuses_by_name(void **state) {
    (void)state;
    static const sample samples[] = {
        {"{% include 'a' %}", "template, line 1: the tag 'include' is not supported"},
        {"{% for a in l recursive %}{% endfor %}", "template, line 1: a 'recursive' loop is not supported"},
        {"{{ l | batch(2) }}", "template, line 1: the filter 'batch' is not supported"},
        {"{{ n is weird }}", "template, line 1: the test 'weird' is not supported"},
        {"{{ 'a'.zfill(3) }}", "template, line 1: the method of str 'zfill' is not supported"},
        {"{{ '%s' % n }}", "template, line 1: formatting text with '%' is not supported"},
        {"{{ range(*l) }}", "template, line 1: spreading arguments with '*' or '**' is not supported"},
    };
    want_all(samples, COUNT(samples), RX_UNSUPPORTED);
}

// Whatever a template does, it ends: with a message, in memory and steps that are bounded.
static void keeps_within_limits(void **state) {
    (void)state;
    static const char *const sources[] = {
        "{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}",
        "{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}",
        "{% set s = namespace(a='aaaaa') %}{% for i in range(99) %}{% set s.a = s.a + s.a %}{% endfor %}",
        "{% set ns = namespace(a=[]) %}{% for i in range(9999) %}{% set ns.a = [ns.a] %}{% endfor %}{{ ns.a }}",
        "{% set ns = namespace() %}{% set ns.a = ns %}{{ ns }}",
        "{% for a in range(99999) %}{{ 'aaaaaaaaaaaaaaaaaaaaaaaaaaaa' * 999 }}{% endfor %}",
        "{{ 'a' * 9999999999 }}",
        "{{ 99999999999 * 99999999999 }}",
        "{{ range(-9999999) | list }}{{ range(100001) }}",
    };
    char got[4096], deep[20000];
    for (size_t i = 0; i < COUNT(sources); i++) assert_int_not_equal(render(sources[i], "[]", got), RX_OK);
    memset(deep, '(', sizeof deep - 1);
    deep[sizeof deep - 1] = 0, deep[1] = deep[0] = '{';
    assert_int_equal(render(deep, "[]", got), RX_UNSUPPORTED);
    memset(deep, '[', sizeof deep - 1);
    assert_int_equal(render("a", deep, got), RX_UNSUPPORTED);
}

static void reads_json(void **state) {
    (void)state;
    char got[4096];
    assert_int_equal(render("{{ messages }}", "[1, 1.0, -2e3, \"\\ud83e\\udd99\\u0041\\ud800\", true, {}]", got),
                     RX_OK);
    assert_string_equal(got, "[1, 1.0, -2000.0, '\xf0\x9f\xa6\x99"
                             "A\xef\xbf\xbd', True, {}]");
    static const char *const bad[] = {
        "", "[1,]", "{\"a\" 1}", "[1 2]", "\"\\x\"", "[01]x", "nul", "[\"a\nb\"]", "\xff", "1", "99999999999999999999"};
    for (size_t i = 0; i < COUNT(bad); i++) assert_int_equal(render("a", bad[i], got), RX_INVALID_ARGUMENT);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_print_as_in_python),
        cmocka_unit_test(operators),
        cmocka_unit_test(statements),
        cmocka_unit_test(white_space),
        cmocka_unit_test(filters_and_methods),
        cmocka_unit_test(raises),
        cmocka_unit_test(refuses_by_name),
        cmocka_unit_test(keeps_within_limits),
        cmocka_unit_test(reads_json),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
