"""hub_model.py FOLDER VOCABULARY [KEY=JSON...] - a small Llama in Hugging Face's layout: config.json, model.safetensors.

Random weights, the same bytes on every machine; the tokenizer is another script's. Each KEY=JSON goes into config.json.
"""
import json
import os
import struct
import sys

folder, vocab = sys.argv[1], int(sys.argv[2])
HIDDEN, LAYERS, HEADS, KV_HEADS, INNER = 32, 2, 4, 2, 64
HEAD = HIDDEN // HEADS
config = {
    "architectures": ["LlamaForCausalLM"], "model_type": "llama", "hidden_act": "silu", "hidden_size": HIDDEN,
    "intermediate_size": INNER, "max_position_embeddings": 128, "num_attention_heads": HEADS,
    "num_hidden_layers": LAYERS, "num_key_value_heads": KV_HEADS, "rms_norm_eps": 1e-5, "rope_theta": 10000.0,
    "tie_word_embeddings": False, "vocab_size": vocab,
}
for pair in sys.argv[3:]:
    key, value = pair.split("=", 1)
    config[key] = json.loads(value)

shapes = {"model.embed_tokens.weight": (vocab, HIDDEN), "model.norm.weight": (HIDDEN,), "lm_head.weight": (vocab, HIDDEN)}
for i in range(LAYERS):
    layer = f"model.layers.{i}."
    shapes |= {
        layer + "input_layernorm.weight": (HIDDEN,),
        layer + "post_attention_layernorm.weight": (HIDDEN,),
        layer + "self_attn.q_proj.weight": (HEADS * HEAD, HIDDEN),
        layer + "self_attn.k_proj.weight": (KV_HEADS * HEAD, HIDDEN),
        layer + "self_attn.v_proj.weight": (KV_HEADS * HEAD, HIDDEN),
        layer + "self_attn.o_proj.weight": (HIDDEN, HEADS * HEAD),
        layer + "mlp.gate_proj.weight": (INNER, HIDDEN),
        layer + "mlp.up_proj.weight": (INNER, HIDDEN),
        layer + "mlp.down_proj.weight": (HIDDEN, INNER),
    }
state, data, header = 7, bytearray(), {}
for name, shape in shapes.items():
    count = 1
    for n in shape:
        count *= n
    begin = len(data)
    for _ in range(count):
        state = (state * 6364136223846793005 + 1442695040888963407) % 2**64  # Knuth's MMIX constants
        x = (state >> 40) / 2**24 * 2 - 1
        data += struct.pack("<f", 1 + x / 10 if len(shape) == 1 else x / 2)
    header[name] = {"dtype": "F32", "shape": list(shape), "data_offsets": [begin, len(data)]}
os.makedirs(folder, exist_ok=True)
json.dump(config, open(os.path.join(folder, "config.json"), "w"))
with open(os.path.join(folder, "model.safetensors"), "wb") as out:
    text = json.dumps(header).encode()
    out.write(struct.pack("<Q", len(text)) + text + data)
