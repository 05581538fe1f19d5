package keys

// The actions whose hints are never left out of the footer.
const (
	Help = "keys"
	Back = "back"
)

// Command is the action that types others.
const Command = "command"

// Actions that messages and commands name.
const (
	Reload = "reload"
	Saved  = "saved-filter"
)
