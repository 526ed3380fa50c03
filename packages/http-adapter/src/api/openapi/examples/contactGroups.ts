import {
  createSegment,
  createTag,
  deleteSegment,
  deleteTag,
  getSegment,
  getTag,
  Job,
  JobId,
  listSegments,
  listTags,
  mergeTags,
  Segment,
  Tag,
  TagId,
  updateSegment,
  updateTag
} from "@parley/domain"
import type { SegmentsApi, TagsApi } from "../../contactGroups.ts"
import type { ExamplesOf } from "./Example.ts"
import { ada, at, pageOf, segment, tag } from "./samples.ts"

const name = "Regular guest"

export const tags: ExamplesOf<typeof TagsApi> = {
  list: { runs: listTags, answer: pageOf(tag) },
  create: {
    runs: createTag,
    request: { name: tag.name, color: tag.color },
    answer: new Tag({ ...tag, contactCount: 0 })
  },
  get: { runs: getTag, answer: tag },
  update: {
    runs: updateTag,
    request: { name },
    answer: new Tag({ ...tag, name, updatedAt: at("11:20:00.000"), version: tag.version + 1 })
  },
  delete: { runs: deleteTag },
  merge: {
    runs: mergeTags,
    request: { into: TagId.make("01934b8a-5f60-7eee-8345-36a7b8c9daeb") },
    answer: new Job({
      id: JobId.make("01934ba4-6071-7fff-9456-46a7b8c9daeb"),
      kind: "tags.merge",
      state: "queued",
      progress: { done: 0, total: tag.contactCount },
      counts: {},
      error: null,
      errorCode: null,
      resultUrl: null,
      cancelRequested: false,
      createdBy: { kind: "user", id: ada.id },
      createdAt: at("11:25:00.000"),
      startedAt: null,
      finishedAt: null,
      updatedAt: at("11:25:00.000")
    })
  }
}

const segmentsName = "Subscribers in Paris"

export const segments: ExamplesOf<typeof SegmentsApi> = {
  list: { runs: listSegments, answer: pageOf(segment) },
  create: { runs: createSegment, request: { name: segment.name, filter: segment.filter }, answer: segment },
  get: { runs: getSegment, answer: segment },
  update: {
    runs: updateSegment,
    request: { name: segmentsName },
    answer: new Segment({ ...segment, name: segmentsName, updatedAt: at("11:40:00.000"), version: segment.version + 1 })
  },
  delete: { runs: deleteSegment }
}
