# {{label .Name}}: LoRA with Twinkle. "key_rounds" in user_data lists the
# messages that are trained, by their places from 0.
#   pip install twinkle-kit && torchrun --nproc_per_node=8 recipes/twinkle.py
from pathlib import Path

import twinkle
from peft import LoraConfig
from twinkle import DeviceMesh, get_logger
from twinkle.dataloader import DataLoader
from twinkle.dataset import Dataset, DatasetMeta
from twinkle.model import TransformersModel

ROOT = Path(__file__).resolve().parent.parent
MODEL = "ms://Qwen/Qwen3.5-4B"
# The longest sample has about {{.Longest}} tokens.
MAX_LENGTH = {{.Length}}

twinkle.initialize(mode="local", global_device_mesh=DeviceMesh.from_sizes(fsdp_size=4, dp_size=2))
logger = get_logger()

model = TransformersModel(model_id=MODEL)
model.add_adapter_to_model("default", LoraConfig(r=16, lora_alpha=32, target_modules="all-linear"), gradient_accumulation_steps=2)
model.set_optimizer(optimizer_cls="AdamW", lr=1e-4)

for name in [{{range $i, $f := .Train.Files}}{{if $i}}, {{end}}{{quote $f}}{{end}}]:
    dataset = Dataset(dataset_meta=DatasetMeta(str(ROOT / name)))
    dataset.set_template("Template", model_id=MODEL, max_length=MAX_LENGTH)
    dataset.encode()
    for step, batch in enumerate(DataLoader(dataset=dataset, batch_size=8)):
        model.forward_backward(inputs=batch)
        model.clip_grad_and_step()
        if step % 20 == 0:
            logger.info(f"{name}: step {step}: {model.calculate_metric(is_training=True)}")
model.save("last-checkpoint")
