import { Job, JobId } from "@parley/domain/platform"
import { createTag, deleteTag, getTag, listTags, mergeTags, Tag, TagId, updateTag } from "@parley/domain/crm"
import { TagsApi } from "../../../api/contactGroups.ts"
import { ada, at, samplePage, tag } from "../../examples/samples.ts"
import { bind } from "../bind.ts"

const name = "Regular guest"

export const tags = bind(TagsApi, {
  list: { runs: listTags, response: samplePage(tag) },
  create: {
    runs: createTag,
    request: { name: tag.name, color: tag.color },
    response: new Tag({ ...tag, contactCount: 0 })
  },
  get: { runs: getTag, response: tag },
  update: {
    runs: updateTag,
    request: { name },
    response: new Tag({ ...tag, name, updatedAt: at("11:20:00.000"), version: tag.version + 1 })
  },
  delete: { runs: deleteTag },
  merge: {
    runs: mergeTags,
    request: { into: TagId.make("01934b8a-5f60-7eee-8345-36a7b8c9daeb") },
    response: new Job({
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
})
