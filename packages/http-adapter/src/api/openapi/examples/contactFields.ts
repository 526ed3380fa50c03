import {
  ContactField,
  ContactFieldId,
  createContactField,
  deleteContactField,
  describeFilterFields,
  Job,
  JobId,
  listContactFields,
  listFilterFields,
  updateContactField
} from "@parley/domain"
import type { ContactFieldsApi } from "../../contactFields.ts"
import type { ExamplesOf } from "./Example.ts"
import { ada, at, pageOf } from "./samples.ts"

const size = new ContactField({
  id: ContactFieldId.make("01934b8c-7182-7111-a567-56a7b8c9daeb"),
  key: "size",
  name: "Size of the usual order",
  type: "enum",
  choices: ["small", "large"],
  status: "active",
  createdAt: at("10:05:00.000"),
  updatedAt: at("10:05:00.000"),
  version: 1
})

const choices = ["small", "large", "family"]

export const contactFields: ExamplesOf<typeof ContactFieldsApi> = {
  list: { runs: listContactFields, answer: pageOf(size) },
  create: {
    runs: createContactField,
    request: { key: size.key, name: size.name, type: size.type, choices: ["small", "large"] },
    answer: size
  },
  update: {
    runs: updateContactField,
    request: { choices },
    answer: new ContactField({ ...size, choices, updatedAt: at("11:30:00.000"), version: size.version + 1 })
  },
  filters: {
    runs: listFilterFields,
    answer: { data: describeFilterFields([size], []).filter(({ field }) => field === "tag" || field === "attribute") }
  },
  delete: {
    runs: deleteContactField,
    answer: new Job({
      id: JobId.make("01934ba6-8293-7222-b678-66a7b8c9daeb"),
      kind: "contact_fields.delete",
      state: "queued",
      progress: { done: 0, total: null },
      counts: {},
      error: null,
      errorCode: null,
      resultUrl: null,
      cancelRequested: false,
      createdBy: { kind: "user", id: ada.id },
      createdAt: at("11:35:00.000"),
      startedAt: null,
      finishedAt: null,
      updatedAt: at("11:35:00.000")
    })
  }
}
