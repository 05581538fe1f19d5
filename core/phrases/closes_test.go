package phrases

import "testing"

func TestCloses(t *testing.T) {
	for _, text := range []string{
		"Thank you so much! I'll definitely reach out if I need anything else. Have a great day!", "Thank you! I'll definitely reach out if I need anything else. Take care!",
		"Got it, that makes sense. Thanks for explaining! If I need anything else, I'll reach out.", "No, that's all. Thank you!", "谢谢，再见",
		"Thanks a ton for getting that sorted! I’m good for now—guess I’ll just figure out what to do with the extra office stuff when it arrives. Appreciate your help through my little WFH anxiety spiral!",
	} {
		if !Closes(text) {
			t.Errorf("%q does not close", text)
		}
	}
	for _, text := range []string{
		"Thanks! If I need to change it, how do I do that?", "Thank you. I need a refund, too.", "Sure, please go ahead and issue the certificate. Thank you for your help.", "thanks, but it is blue", "Thanks! Write the tests.", "",
	} {
		if Closes(text) {
			t.Errorf("%q closes", text)
		}
	}
}

func TestNods(t *testing.T) {
	for _, text := range []string{"ok", "OK.", "okay, got it", "Great!", "好的", "I see, makes sense"} {
		if !Nods(text) {
			t.Errorf("%q is more than agreement", text)
		}
	}
	for _, text := range []string{"", "continue", "ok, continue", "ok, deploy it", "really?", "why", "yes please", "3", "肉"} {
		if Nods(text) {
			t.Errorf("%q is nothing but agreement", text)
		}
	}
}
