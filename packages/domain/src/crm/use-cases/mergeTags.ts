import { Effect } from "effect"
import { record } from "../../platform/audit/index.ts"
import { startJob } from "../../platform/jobs/index.ts"
import { invalid, NotFound, transact, useCase } from "../../kernel/index.ts"
import { type TagId } from "../Ids.ts"
import { Tags } from "../Tags.ts"
import { mergeTagsJob } from "../tags/mergeTagsJob.ts"

/** Has one tag become another on every contact that has it, in the background. */
export const mergeTags = useCase(
  "tags.merge",
  { access: { permission: "contacts.manage" } },
  Effect.fnUntraced(function* (from: TagId, to: TagId) {
    if (from === to) return yield* invalid("/into", "A tag cannot be merged with itself")
    const tags = yield* Tags
    const merged = yield* tags.get(from)
    const [into] = yield* tags.find([to])
    if (into === undefined) return yield* new NotFound({ resource: "tag", pointer: "/into" })
    const job = yield* startJob(mergeTagsJob, { from, to }, { total: merged.contactCount })
    yield* record(
      "tag.merged",
      { kind: "tag", id: from },
      { before: { name: merged.name }, after: { name: into.name } }
    )
    return job
  }, transact)
)
