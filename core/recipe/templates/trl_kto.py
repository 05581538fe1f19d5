# {{label .Name}}: KTO with TRL, on samples that a curator approved and rejected.
#   pip install "trl>=0.24" && python recipes/trl_kto.py
from pathlib import Path

from datasets import load_dataset
from trl import KTOConfig, KTOTrainer
from transformers import AutoModelForCausalLM, AutoTokenizer

ROOT = Path(__file__).resolve().parent.parent
MODEL = "Qwen/Qwen3-8B"
# The longest {{.Whole}} has about {{.Longest}} tokens.
MAX_LENGTH = {{.Length}}

files = {"train": [str(ROOT / f) for f in [{{template "files" .Train.Files}}]]}
data = load_dataset({{quote .Loader}}, data_files=files, split="train")
wanted = sum(data["label"])
unwanted = len(data) - wanted

trainer = KTOTrainer(
    model=AutoModelForCausalLM.from_pretrained(MODEL, torch_dtype="bfloat16"),
    processing_class=AutoTokenizer.from_pretrained(MODEL),
    args=KTOConfig(
        output_dir="output",
        max_length=MAX_LENGTH,
        # Both kinds weigh the same, however many there are of each.
        desirable_weight=min(1.0, unwanted / wanted) if wanted and unwanted else 1.0,
        undesirable_weight=min(1.0, wanted / unwanted) if wanted and unwanted else 1.0,
        per_device_train_batch_size=4,
        bf16=True,
    ),
    train_dataset=data,
)
trainer.train()
trainer.save_model()
