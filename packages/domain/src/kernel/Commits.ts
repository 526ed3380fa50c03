import { Context } from "effect"

/** Counts the units of work that were committed, for whoever has to know whether anything was changed. */
export interface CommitCount {
  count: number
}

/** The count of the request at hand. */
export const Commits = Context.Reference<CommitCount>("@parley/domain/kernel/Commits", {
  defaultValue: () => ({ count: 0 })
})
