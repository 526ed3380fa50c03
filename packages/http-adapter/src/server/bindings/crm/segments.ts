import { createSegment, deleteSegment, getSegment, listSegments, Segment, updateSegment } from "@parley/domain/crm"
import { SegmentsApi } from "../../../api/contactGroups.ts"
import { at, samplePage, segment } from "../../examples/samples.ts"
import { bind } from "../bind.ts"

const segmentsName = "Subscribers in Paris"

export const segments = bind(SegmentsApi, {
  list: { runs: listSegments, response: samplePage(segment) },
  create: { runs: createSegment, request: { name: segment.name, filter: segment.filter }, response: segment },
  get: { runs: getSegment, response: segment },
  update: {
    runs: updateSegment,
    request: { name: segmentsName },
    response: new Segment({
      ...segment,
      name: segmentsName,
      updatedAt: at("11:40:00.000"),
      version: segment.version + 1
    })
  },
  delete: { runs: deleteSegment }
})
