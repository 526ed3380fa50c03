import { Effect } from "effect"
import { Job, JobId } from "@parley/domain/platform"
import {
  ContactField,
  ContactFieldId,
  createContactField,
  deleteContactField,
  describeFilterFields,
  listContactFields,
  listFilterFields,
  updateContactField
} from "@parley/domain/crm"
import { ContactFieldsApi } from "../../../api/contactFields.ts"
import { ada, at, samplePage } from "../../examples/samples.ts"
import { bindWith } from "../bind.ts"

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

export const contactFields = bindWith(
  ContactFieldsApi,
  {
    list: { runs: listContactFields, response: samplePage(size) },
    create: {
      runs: createContactField,
      request: { key: size.key, name: size.name, type: size.type, choices: ["small", "large"] },
      response: size
    },
    update: {
      runs: updateContactField,
      request: { choices },
      response: new ContactField({ ...size, choices, updatedAt: at("11:30:00.000"), version: size.version + 1 })
    },
    filters: {
      uses: listFilterFields,
      response: {
        data: describeFilterFields([size], []).filter(({ field }) => field === "tag" || field === "attribute")
      }
    },
    delete: {
      runs: deleteContactField,
      response: new Job({
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
  },
  (handlers) =>
    handlers.handleAll({
      filters: () => Effect.map(listFilterFields(), (data) => ({ data }))
    })
)
