# {{label .Name}}: LoRA with Twinkle. "key_rounds" in user_data lists the
# messages that are trained, by their places from 0.
#   pip install twinkle-kit && torchrun --nproc_per_node=8 recipes/twinkle.py
{{template "twinkle" .}}
model.set_optimizer(optimizer_cls="AdamW", lr=1e-4)

{{template "twinkle-rows" .}}
        model.forward_backward(inputs=batch)
        model.clip_grad_and_step()
        if step % 20 == 0:
            logger.info(f"{name}: step {step}: {model.calculate_metric(is_training=True)}")
model.save("last-checkpoint")
