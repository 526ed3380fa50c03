import { defineJob, recordAudit } from "@parley/domain/platform"
import { Effect, Schema } from "effect"

/** A job that takes its time over each row, and leaves each in the trail. */
export const rowsJob = defineJob({
  name: "test.rows",
  needs: null,
  input: Schema.Struct({ rows: Schema.Int }),
  checkpoint: Schema.Struct({ row: Schema.Int }),
  step: Effect.fnUntraced(function* ({ rows }, checkpoint) {
    const row = (checkpoint?.row ?? 0) + 1
    yield* recordAudit("test.row_written", { kind: "row", id: String(row) })
    yield* Effect.sleep("100 millis")
    return {
      checkpoint: { row },
      done: row === rows,
      progress: { done: row, total: rows },
      counts: { written: row }
    }
  })
})
