import { DateTime, Effect, Schema } from "effect"
import { defineJob, JobFailed } from "../../platform/jobs/index.ts"
import { appendEvent } from "../appendEvent.ts"
import { TagId } from "../Ids.ts"
import { Tags } from "../Tags.ts"

/** How many contacts a step moves. */
const stride = 1_000

/** Moves one tag to another on every contact, then removes it. */
export const mergeTagsJob = defineJob({
  name: "tags.merge",
  needs: null,
  input: Schema.Struct({ from: TagId, to: TagId }),
  checkpoint: Schema.Struct({ moved: Schema.Int }),
  step: Effect.fnUntraced(function* ({ from, to }, checkpoint) {
    const tags = yield* Tags
    const [into] = yield* tags.find([to])
    if (into === undefined) return yield* new JobFailed({ reason: "The tag to merge into was deleted." })
    const moved = yield* tags.move(from, to, stride, yield* DateTime.now)
    const total = (checkpoint?.moved ?? 0) + moved
    const done = moved < stride
    if (done) {
      yield* Effect.ignore(tags.remove(from, null))
      yield* appendEvent({ type: "tag.merged", tagId: from, into: to })
    }
    return { checkpoint: { moved: total }, done, progress: { done: total, total: null }, counts: { moved: total } }
  })
})
