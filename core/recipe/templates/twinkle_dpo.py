# {{label .Name}}: DPO with Twinkle, LoRA against the model without it. Answers of
# the prompt are in both trajectories and cancel out, but not in sft_weight: 0.
#   pip install twinkle-kit && torchrun --nproc_per_node=8 recipes/twinkle_dpo.py
from pathlib import Path

import twinkle
from peft import LoraConfig
from twinkle import DeviceMesh, get_logger
from twinkle.dataloader import DataLoader
from twinkle.dataset import Dataset, DatasetMeta
from twinkle.model import TransformersModel

ROOT = Path(__file__).resolve().parent.parent
MODEL = "ms://Qwen/Qwen3.5-4B"
# The longest prompt with an answer has about {{.Longest}} tokens.
MAX_LENGTH = {{.Length}}

twinkle.initialize(mode="local", global_device_mesh=DeviceMesh.from_sizes(fsdp_size=4, dp_size=2))
logger = get_logger()

model = TransformersModel(model_id=MODEL)
model.add_adapter_to_model("default", LoraConfig(r=16, lora_alpha=32, target_modules="all-linear"), gradient_accumulation_steps=2)
model.set_loss("DPOLoss", beta=0.1, loss_type="sigmoid", reference_free=False, sft_weight=0.0)
model.add_metric("DPOMetric", beta=0.1)
model.set_optimizer(optimizer_cls="AdamW", lr=1e-5)

for name in [{{range $i, $f := .Train.Files}}{{if $i}}, {{end}}{{quote $f}}{{end}}]:
    dataset = Dataset(dataset_meta=DatasetMeta(str(ROOT / name)))
    dataset.set_template("Template", model_id=MODEL, max_length=MAX_LENGTH)
    dataset.encode()
    for step, batch in enumerate(DataLoader(dataset=dataset, batch_size=8)):
        # One after the other, so that no pair is torn apart among workers.
        inputs = [row[side] for row in batch for side in ("positive", "negative")]
        reference = model.forward_only(inputs=inputs, disable_lora=True)
        model.forward_backward(inputs=inputs, ref_outputs=reference)
        model.clip_grad_and_step()
        if step % 20 == 0:
            logger.info(f"{name}: step {step}: {model.calculate_metric(is_training=True)}")
model.save("last-checkpoint")
