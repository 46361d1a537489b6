// conversation.h - a conversation with a model: its messages, and the tokens of them that the session's cache holds.
#ifndef CLI_CONVERSATION_H
#define CLI_CONVERSATION_H
#include "base/text.h"
#include "cli/language.h"
#include "cli/meter.h"

typedef struct conversation {
    const language *with;
    rx_llm_sequence *sequence;
    text messages;             // items of a JSON list
    size_t system;             // bytes of them that stay on reset
    bool (*interrupted)(void); // asked while a long prompt is taken in: stop? NULL: never
    meter meter;               // of a long prompt
    size_t taken;              // tokens of it that are taken in before the generation, which takes the rest
} conversation;

// `system`: what the model is told before anything else; NULL: nothing but what the template says. False when there is
// no memory. Text lives in `mem`.
bool conversation_open(conversation *c, arena *mem, const language *with, const char *system);
void conversation_close(conversation *c);
void conversation_reset(conversation *c);

// Says `message` and generates the answer; *ask holds all but the prompt, *result what came of it. On failure a
// sentence is in `why` (RX_MESSAGE bytes), and the conversation is as before (RX_CANCELLED: interrupted). The answer is
// added with conversation_answered.
rx_status conversation_say(conversation *c, const char *message, rx_llm_request *ask, rx_llm_result *result, char *why);
// For `progress` of that request: shows how far the prompt is.
void conversation_progress(conversation *c, uint64_t taken, uint64_t count);
void conversation_answered(conversation *c, const char *answer, size_t size);
#endif
