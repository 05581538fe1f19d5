# {{label .Name}}: supervised fine-tuning with TRL.
#   pip install "trl>=0.24" && python recipes/trl.py
from pathlib import Path

from datasets import load_dataset
from trl import SFTConfig, SFTTrainer

ROOT = Path(__file__).resolve().parent.parent
MODEL = "Qwen/Qwen3-8B"
# The longest {{.Whole}} has about {{.Longest}} tokens.
MAX_LENGTH = {{.Length}}

{{template "load" .}}
{{- if eq .Format "hf"}}


def masked(rows):
    return any(m["role"] == "assistant" and not m["train"] for row in rows for m in row["messages"])


def steps(batch):
    """One row for each message that is trained: all before it is the prompt."""
    out = {"prompt": [], "completion": [], "tools": []}
    tools = batch.get("tools") or [None] * len(batch["messages"])
    for messages, tool in zip(batch["messages"], tools):
        for i, message in enumerate(messages):
            if message["role"] == "assistant" and message["train"]:
                out["prompt"].append(messages[:i])
                out["completion"].append([message])
                out["tools"].append(tool)
    return out


# TRL trains all assistant messages or none. Where some are switched off, each
# trained one becomes a row of its own.
MARKS = masked(data["train"])
if MARKS:
    data = data.map(steps, batched=True, batch_size=16, remove_columns=data["train"].column_names)
else:
    data = data.remove_columns([c for c in ("id", "provenance") if c in data["train"].column_names])
loss = {"completion_only_loss": True} if MARKS else {"assistant_only_loss": True}
{{- else if eq .Format "steps"}}
loss = {"completion_only_loss": True}
{{- else}}
loss = {"assistant_only_loss": True}
{{- end}}

trainer = SFTTrainer(
    model=MODEL,
    args=SFTConfig(output_dir="output", max_length=MAX_LENGTH, gradient_checkpointing=True, bf16=True, **loss),
    train_dataset=data["train"],
{{- if .Eval.Files}}
    eval_dataset=data["eval"],
{{- end}}
)
trainer.train()
trainer.save_model()
