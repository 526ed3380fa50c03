import { DateTime, Effect } from "effect"
import { record } from "../../platform/audit/index.ts"
import { JobId, startJob } from "../../platform/jobs/index.ts"
import { invalid, nextId, transact, useCase } from "../../kernel/index.ts"
import { appendEvent } from "../appendEvent.ts"
import type { BulkRequest } from "../Bulk.ts"
import { Contacts } from "../Contacts.ts"
import { resolveFilter } from "../filter/resolveFilter.ts"
import { checkTags } from "../checks/checkTags.ts"
import { changeContactsJob } from "../bulk/changeContactsJob.ts"
import { applyBulkChange } from "../bulk/applyBulkChange.ts"

/** Changes many contacts: those named at once, those that a filter matches in the background. */
export const changeContacts = useCase(
  "contacts.change",
  { access: { permission: "contacts.manage" } },
  Effect.fnUntraced(function* ({ change, target }: BulkRequest) {
    if (change.action === "tag" || change.action === "untag") yield* checkTags(change.tags, "/change/tags")
    const { filter, ids } = target
    if ((filter === undefined) === (ids === undefined)) return yield* invalid("/target", "Expected ids or a filter")

    if (filter !== undefined) {
      yield* resolveFilter(filter, "/target/filter")
      const jobId = yield* nextId(JobId)
      const begunAt = yield* DateTime.now
      const job = yield* startJob(changeContactsJob, { jobId, change, filter, begunAt }, { id: jobId })
      yield* record("contacts.changed", { kind: "job", id: job.id }, { after: { action: change.action } })
      return { kind: "started", job } as const
    }

    const named = ids ?? []
    const found = new Set((yield* (yield* Contacts).find(named)).map(({ id }) => id))
    const { changed, unsubscribed } = yield* Effect.catchTag(
      applyBulkChange(
        change,
        named.filter((id) => found.has(id))
      ),
      "ContactExists",
      Effect.die
    )
    if (changed > 0) {
      yield* record(
        "contacts.changed",
        { kind: "contacts", id: change.action },
        { after: { action: change.action, changed } }
      )
      yield* appendEvent({
        type: "contacts.changed",
        action: change.action,
        changed,
        ...(unsubscribed > 0 && { unsubscribed }),
        jobId: null
      })
    }
    return {
      kind: "done",
      result: { matched: found.size, changed, missing: named.filter((id) => !found.has(id)) }
    } as const
  }, transact)
)
