import { DateTime, Effect, Schema } from "effect"
import { defineJob, JobFailed, JobId } from "../../platform/jobs/index.ts"
import { Timestamp } from "../../kernel/index.ts"
import { appendEvent } from "../appendEvent.ts"
import { BulkChange } from "../Bulk.ts"
import { Contacts } from "../Contacts.ts"
import { both } from "../filter/Filter.ts"
import { FilterInput } from "../filter/FilterInput.ts"
import { resolveFilter } from "../filter/resolveFilter.ts"
import { applyBulkChange } from "./applyBulkChange.ts"

/** How many contacts a step changes. */
const stride = 500

/** Changes all contacts that a filter matches. */
export const changeContactsJob = defineJob({
  name: "contacts.change",
  needs: ["contacts.manage"],
  input: Schema.Struct({ jobId: JobId, change: BulkChange, filter: FilterInput, begunAt: Timestamp }),
  checkpoint: Schema.Struct({
    after: Schema.NullOr(Schema.String),
    matched: Schema.Int,
    changed: Schema.Int,
    /** Absent in checkpoints of earlier versions. */
    unsubscribed: Schema.optionalKey(Schema.Int)
  }),
  step: Effect.fnUntraced(
    function* ({ begunAt, change, filter, jobId }, checkpoint) {
      const { after, changed, matched, unsubscribed = 0 } = checkpoint ?? { after: null, changed: 0, matched: 0 }
      const contacts = yield* Contacts
      const wanted = both(yield* resolveFilter(filter, "/target/filter"), {
        kind: "before",
        field: "createdAt",
        // Clocks count milliseconds: contacts added in the millisecond in which the change began are included.
        at: DateTime.add(begunAt, { milliseconds: 1 })
      })
      const { resume, rows } = yield* contacts.list(
        { filter: wanted, search: null, sort: "createdAt" },
        { limit: stride, after: after === null ? null : [after] }
      )
      const ids = rows.map(({ id }) => id)
      const outcome = yield* applyBulkChange(change, ids)
      const next = {
        after: resume?.[0] ?? ids.at(-1) ?? after,
        matched: matched + ids.length,
        changed: changed + outcome.changed,
        unsubscribed: unsubscribed + outcome.unsubscribed
      }
      const done = resume === null && ids.length < stride
      if (done && next.changed > 0) {
        yield* appendEvent({
          type: "contacts.changed",
          action: change.action,
          changed: next.changed,
          ...(next.unsubscribed > 0 && { unsubscribed: next.unsubscribed }),
          jobId
        })
      }
      return {
        checkpoint: next,
        done,
        progress: { done: next.matched, total: null },
        counts: { matched: next.matched, changed: next.changed }
      }
    },
    Effect.catchTags({
      ContactExists: Effect.die,
      NotFound: () => new JobFailed({ reason: "A tag or segment that the filter names was deleted." }),
      ValidationFailed: () => new JobFailed({ reason: "The filter does not fit the contact fields any more." })
    })
  )
})
