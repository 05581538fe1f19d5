# {{label .Name}}: DPO with Twinkle, LoRA against the model without it. Answers of
# the prompt are in both trajectories and cancel out, but not in sft_weight: 0.
#   pip install twinkle-kit && torchrun --nproc_per_node=8 recipes/twinkle_dpo.py
{{template "twinkle" .}}
model.set_loss("DPOLoss", beta=0.1, loss_type="sigmoid", reference_free=False, sft_weight=0.0)
model.add_metric("DPOMetric", beta=0.1)
model.set_optimizer(optimizer_cls="AdamW", lr=1e-5)

{{template "twinkle-rows" .}}
        # One after the other, so that no pair is torn apart among workers.
        inputs = [row[side] for row in batch for side in ("positive", "negative")]
        reference = model.forward_only(inputs=inputs, disable_lora=True)
        model.forward_backward(inputs=inputs, ref_outputs=reference)
        model.clip_grad_and_step()
        if step % 20 == 0:
            logger.info(f"{name}: step {step}: {model.calculate_metric(is_training=True)}")
model.save("last-checkpoint")
