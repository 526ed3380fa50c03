import { createSegment, deleteSegment, getSegment, listSegments, Segment, updateSegment } from "@parley/domain"
import type { SegmentsApi } from "../../segments.ts"
import type { ExamplesOf } from "./Example.ts"
import { at, pageOf, segment } from "./samples.ts"

const name = "Subscribers in Paris"

export const segments: ExamplesOf<typeof SegmentsApi> = {
  list: { runs: listSegments, answer: pageOf(segment) },
  create: { runs: createSegment, request: { name: segment.name, filter: segment.filter }, answer: segment },
  get: { runs: getSegment, answer: segment },
  update: {
    runs: updateSegment,
    request: { name },
    answer: new Segment({ ...segment, name, updatedAt: at("11:40:00.000"), version: segment.version + 1 })
  },
  delete: { runs: deleteSegment }
}
