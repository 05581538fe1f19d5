# {{label .Name}}: LoRA with Unsloth. It trains all assistant messages: marks of
# single ones are read by axolotl.yaml and trl.py.
#   pip install unsloth && python recipes/unsloth.py
import json
from pathlib import Path

from unsloth import FastLanguageModel
from unsloth.chat_templates import train_on_responses_only
from datasets import load_dataset
from trl import SFTConfig, SFTTrainer

ROOT = Path(__file__).resolve().parent.parent
# The longest {{.Whole}} has about {{.Longest}} tokens.
MAX_LENGTH = {{.Length}}

model, tokenizer = FastLanguageModel.from_pretrained("unsloth/Qwen3-8B", max_seq_length=MAX_LENGTH, load_in_4bit=True)
model = FastLanguageModel.get_peft_model(model, r=16, lora_alpha=16, use_gradient_checkpointing="unsloth")

files = [str(ROOT / f) for f in [{{template "files" .Train.Files}}]]
data = load_dataset({{quote .Loader}}, data_files=files, split="train")


def bare(value):
    """A table fills what a message has not with None, which templates do not expect."""
    if isinstance(value, dict):
        return {k: bare(v) for k, v in value.items() if v is not None}
    return [bare(v) for v in value] if isinstance(value, list) else value


def render(row):
    tools = json.loads(row["tools"]) if row.get("tools") else None
    return {"text": tokenizer.apply_chat_template(bare(row["messages"]), tools=tools, tokenize=False)}


data = data.map(render, remove_columns=data.column_names)
trainer = SFTTrainer(
    model=model,
    processing_class=tokenizer,
    args=SFTConfig(output_dir="output", dataset_text_field="text", max_length=MAX_LENGTH, per_device_train_batch_size=1),
    train_dataset=data,
)
trainer = train_on_responses_only(trainer, instruction_part="<|im_start|>user\n", response_part="<|im_start|>assistant\n")
trainer.train()
model.save_pretrained("output")
