import { Effect } from "effect"
import { useCase } from "../../kernel/index.ts"
import type { SegmentId } from "../Ids.ts"
import { Segments } from "../Segments.ts"

/** Reads one segment. */
export const getSegment = useCase(
  "segments.get",
  { access: { permission: "contacts.read" } },
  Effect.fnUntraced(function* (id: SegmentId) {
    return yield* (yield* Segments).get(id)
  })
)
