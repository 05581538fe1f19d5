package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"winnow/cmd/winnow/list"
	"winnow/cmd/winnow/print"
	"winnow/core/filter"
	"winnow/core/review"
	"winnow/tui/draw"
)

func (p *cli) tagCommand() *cobra.Command {
	var on, off []string // words with commas or spaces between them
	cmd := with(&cobra.Command{
		Use:   "tag [ID… | --filter Q] [--add TAG] [--remove TAG]",
		Short: "Add tags to segments, or remove them",
		Long: `Adds tags to segments and removes them. A tag is a word of your own, which the
filter tag:WORD finds. It has no spaces and no commas, and case matters.
Separate several tags with commas.

Without --add and --remove it prints the tags of the given segments; without
segments it prints all tags and how many segments have each.

With --filter it changes all segments that pass Q. On a terminal it first says
how many these are and asks; --yes skips the question. "winnow undo" takes it
back.`,
		Example: `  winnow tag                                 list all tags
  winnow tag 3f2a91bc 7d01 --add keep,golden
  winnow tag 3f2a91bc --remove keep
  winnow tag --filter 'tag:golden score<0.5' --remove golden --add check`,
		Args:              cobra.ArbitraryArgs,
		ValidArgsFunction: p.completeIDs,
		RunE: func(cmd *cobra.Command, ids []string) error {
			if len(ids) == 0 && !filtered(cmd) && len(on)+len(off) == 0 {
				return p.onDatabase(p.listTags)(cmd, ids)
			}
			j := review.Judgement{TagsOn: tagWords(on), TagsOff: tagWords(off)}
			for _, tag := range slices.Concat(j.TagsOn, j.TagsOff) {
				if err := review.CheckTag(tag); err != nil {
					return wrongUsage("%w", err)
				}
			}
			return p.onChosen(cmd, ids, func(ctx context.Context, s *database, of *chosen) error {
				if !j.Retags() {
					return p.printTags(ctx, s, of)
				}
				return p.judge(ctx, s, j, of, "tag them", "tagged")
			})
		},
	}, p.filterFlag(filterHelp), p.yesFlag(), p.jsonFlag("print JSON: the journal entry, or the list of tags"))
	cmd.Flags().StringArrayVar(&on, "add", nil, "add this `TAG` (may be repeated)")
	cmd.Flags().StringArrayVar(&off, "remove", nil, "remove this `TAG` (may be repeated)")
	for _, name := range []string{"add", "remove"} {
		mustComplete(cmd.RegisterFlagCompletionFunc(name, p.completeTags))
	}
	return cmd
}

// tagWords takes tags apart that are given in one argument.
func tagWords(args []string) []string {
	var tags []string
	for _, arg := range args {
		words := strings.FieldsFunc(arg, func(r rune) bool { return r == ',' || r == ' ' })
		if len(words) == 0 {
			words = []string{arg} // an empty one, which is refused
		}
		tags = append(tags, words...)
	}
	return tags
}

// knownTags is how many tags are listed at most: more than anybody tells apart.
const knownTags = 10_000

// tagRow is a tag that segments have, in JSON.
type tagRow struct {
	Tag      string `json:"tag"`
	Segments int    `json:"segments"`
}

// listTags prints all tags there are.
func (p *cli) listTags(ctx context.Context, s *database, _ []string) error {
	known, err := s.Values(ctx, filter.Tag, "", nil, knownTags)
	if err != nil {
		return fmt.Errorf("reading the tags: %w", err)
	}
	t := p.out.List(p.asJSON, print.Left("TAG"), print.Right("SEGMENTS"))
	for _, v := range known {
		if err := t.Put(tagRow{v.Value, v.Count}, v.Value, draw.Grouped(v.Count)); err != nil {
			return err
		}
	}
	if t.Flush(); len(known) == 0 {
		p.warn("no segment has a tag")
	}
	return nil
}

// tagsRow are the tags of a segment, in JSON.
type tagsRow struct {
	ID   string   `json:"id"`
	Tags []string `json:"tags"`
}

// printTags prints the tags of segments.
func (p *cli) printTags(ctx context.Context, s *database, of *chosen) error {
	ids, err := p.chosenIDs(ctx, s, of)
	if err != nil {
		return err
	}
	t := p.out.List(p.asJSON, print.Left("ID"), print.Left("TAGS"))
	for step := range slices.Chunk(ids, list.PageSize) {
		now, err := s.Standing(ctx, step)
		if err != nil {
			return err
		}
		tags := make(map[string][]string, len(now))
		for i := range now {
			tags[now[i].ID] = now[i].Tags
		}
		for _, id := range step {
			of, there := tags[id]
			if !there { // it left meanwhile
				continue
			}
			if err := t.Put(tagsRow{id, of}, review.Short(id), strings.Join(of, " ")); err != nil {
				return err
			}
		}
		t.Flush()
	}
	if len(ids) == 0 {
		p.warn("%s", list.NoneLikeThat)
	}
	return nil
}

// completeTags offers the tags there are for the last of those typed.
func (p *cli) completeTags(cmd *cobra.Command, _ []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
	before := typed[:strings.LastIndexByte(typed, ',')+1]
	var offers []cobra.Completion
	for _, v := range p.fieldValues(cmd.Context(), filter.Tag, typed[len(before):]) {
		offers = append(offers, cobra.CompletionWithDesc(before+v.Value, draw.Plural(v.Count, "segment")))
	}
	return offers, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
}
