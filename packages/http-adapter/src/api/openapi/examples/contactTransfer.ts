import {
  ContactImport,
  ContactImportId,
  exportContacts,
  getContactImport,
  importContacts,
  JobId,
  readImportIssues
} from "@parley/domain"
import { Stream } from "effect"
import type { ContactTransferApi } from "../../contactTransfer.ts"
import type { ExamplesOf } from "./Example.ts"
import { ada, at, tag } from "./samples.ts"

const asked = new ContactImport({
  id: ContactImportId.make("01934bb0-1a2b-7c99-8d11-8293041526a7"),
  jobId: JobId.make("01934bb0-1a2c-7daa-9e22-93a4b5c6d7e8"),
  state: "queued",
  format: "csv",
  dryRun: false,
  onExisting: "update",
  createTags: true,
  country: "DE",
  tags: [tag.id],
  mapping: [
    { column: "E-mail", target: "email" },
    { column: "Name", target: "name" }
  ],
  columns: [
    { name: "E-mail", field: "email" },
    { name: "Name", field: "name" },
    { name: "Notes", field: null }
  ],
  unknownColumns: ["Notes"],
  strict: false,
  tagSeparator: "semicolon",
  progress: { done: 0, total: 1_048_576 },
  counts: { rows: 0, created: 0, updated: 0, unchanged: 0, bad: 0, suppressed: 0, unknownIds: 0 },
  outcome: null,
  summary: null,
  error: null,
  errorCode: null,
  errorsUrl: null,
  createdBy: { kind: "user", id: ada.id },
  createdAt: at("12:00:00.000"),
  finishedAt: null
})

const done = new ContactImport({
  ...asked,
  state: "succeeded",
  progress: { done: 1_048_576, total: 1_048_576 },
  counts: { rows: 12_500, created: 11_900, updated: 400, unchanged: 190, bad: 10, suppressed: 3, unknownIds: 0 },
  outcome: "partial",
  summary: "12490 of 12500 rows were imported: 11900 created, 400 updated, 190 unchanged. 10 rows are invalid.",
  errorsUrl: `/api/v1/contacts/imports/${asked.id}/errors`,
  finishedAt: at("12:00:04.210")
})

export const contactTransfer: ExamplesOf<typeof ContactTransferApi> = {
  import: { runs: importContacts, request: Stream.empty, answer: asked },
  getImport: { runs: getContactImport, answer: done },
  importErrors: { runs: readImportIssues, answer: Stream.empty },
  export: { runs: exportContacts, answer: Stream.empty }
}
