# {{label .Name}}: DPO with TRL, on answers that a curator approved over others.
#   pip install "trl>=0.24" && python recipes/trl_dpo.py
# RewardTrainer takes the same rows. ORPOTrainer and CPOTrainer do not read the
# column "tools": with them a model learns to call tools it was never shown.
from pathlib import Path

from datasets import load_dataset
from trl import DPOConfig, DPOTrainer

ROOT = Path(__file__).resolve().parent.parent
MODEL = "Qwen/Qwen3-8B"
# The longest {{.Whole}} has about {{.Longest}} tokens.
MAX_LENGTH = {{.Length}}

{{template "load" .}}

trainer = DPOTrainer(
    model=MODEL,
    args=DPOConfig(
        output_dir="output",
        max_length=MAX_LENGTH,  # of the prompt with an answer: it cuts the answer off
        beta=0.1,
        learning_rate=5e-7,
        gradient_checkpointing=True,
        bf16=True,
    ),
    train_dataset=data["train"],
{{- if .Eval.Files}}
    eval_dataset=data["eval"],
{{- end}}
)
trainer.train()
trainer.save_model()
