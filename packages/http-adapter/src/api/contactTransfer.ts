import {
  ColumnTarget,
  ContactImport,
  ContactImportId,
  Country,
  OnExisting,
  TagIds,
  TagSeparator,
  TransferFormat
} from "@parley/domain/crm"
import { Schema, SchemaTransformation } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { ContactsAsked } from "./contactsQuery.ts"
import { alsoAnswers, alsoReads, area, describe } from "./describe.ts"
import { Idempotent, InOrganization, RequestFaults } from "./middleware.ts"
import * as Problems from "./problems.ts"
import { idOf } from "./shapes.ts"

/** The media types of files, by their formats. */
export const mediaTypes = { csv: "text/csv", ndjson: "application/x-ndjson" } as const

/** `column:target`; a column may have colons in its name, a target has none. */
const MappedColumn = Schema.String.check(
  Schema.isMaxCodePoints(300, { message: "Expected at most 300 characters" }),
  Schema.isPattern(/^[^\0]+:[^:]+$/u, { message: "Expected a column and its target, such as E-mail:email" })
).pipe(
  Schema.decodeTo(
    Schema.toEncoded(ColumnTarget),
    SchemaTransformation.transform({
      decode: (text: string) => {
        const at = text.lastIndexOf(":")
        return { column: text.slice(0, at), target: text.slice(at + 1) }
      },
      encode: ({ column, target }) => `${column}:${target}`
    })
  ),
  Schema.decodeTo(ColumnTarget)
)

const delimiters = { comma: ",", semicolon: ";", tab: "\t" } as const

/** Separator of cells, by its name in the query. */
export const delimiterOf = (name: keyof typeof delimiters) => delimiters[name]

const ImportQuery = {
  map: Schema.optionalKey(
    Schema.Array(MappedColumn).check(Schema.isMaxLength(200, { message: "Expected at most 200 columns" }))
  ).annotateKey({
    description:
      "A column and its target, for example `map=E-mail:email`; can be repeated. Targets: `id`, `name` (or `firstName` and `lastName`, which are joined), `phone`, `email`, `locale`, `timezone`, `external`, `marketing`, `tags`, `attribute.` and the key of a contact field, or `ignore`. If a column is mapped to a part of the contact, all unmapped columns are ignored; otherwise columns match targets by name."
  }),
  dryRun: Schema.optionalKey(Schema.Boolean).annotateKey({
    description: "Dry run: nothing is written. Counts and invalid rows are those of a real import."
  }),
  country: Schema.optionalKey(Country).annotateKey({
    description: "Country of phone numbers without a country code, for example DE."
  }),
  delimiter: Schema.optionalKey(Schema.Literals(["comma", "semicolon", "tab"])).annotateKey({
    description: "Separator of CSV cells. Default: detected."
  }),
  onExisting: Schema.optionalKey(OnExisting).annotateKey({
    description: "Whether rows `update` or `skip` existing contacts. Default: `update`."
  }),
  createTags: Schema.optionalKey(Schema.Boolean).annotateKey({
    description: "Whether missing tags are created. Otherwise rows with them are invalid."
  }),
  tagSeparator: Schema.optionalKey(TagSeparator).annotateKey({
    description:
      "Separator between tag names in a cell. Default: a semicolon; a row with a comma in the name of a new tag is then invalid."
  }),
  strict: Schema.optionalKey(Schema.Boolean).annotateKey({
    description:
      "Whether a file is refused if a column has no target and is not mapped to `ignore`. For NDJSON, later rows with such a column are invalid."
  }),
  tag: Schema.optionalKey(TagIds).annotateKey({
    description: "Tag for every contact in the file; can be repeated."
  })
}

/** Which contacts to export. */
const ExportQuery = Schema.StructWithRest(
  Schema.Struct({
    ...ContactsAsked.schema.fields,
    format: Schema.optionalKey(TransferFormat).annotateKey({
      description: "Format. Default: the format of `Accept`, otherwise CSV."
    })
  }),
  ContactsAsked.records
)
export type ExportQuery = typeof ExportQuery.Type

const csvExample = `id,name,phone,email,locale,timezone,marketing,tags,attribute.city,createdAt,lastSeenAt
01934b8e-a4b5-7444-989a-86a7b8c9daeb,Marie Curie,+491701234567,marie@curie.example,,,subscribed,Wholesale,Paris,2026-11-20T10:30:00.000Z,
`

const ndjsonExample = `{"id":"01934b8e-a4b5-7444-989a-86a7b8c9daeb","name":"Marie Curie","phone":"+491701234567","email":"marie@curie.example","locale":null,"timezone":null,"marketing":"subscribed","tags":["Wholesale"],"attribute.city":"Paris","createdAt":"2026-11-20T10:30:00.000Z","lastSeenAt":null}
`

const errorsExample = `line,column,reason,E-mail,Name
17,E-mail,Expected an e-mail address,marie at curie,Marie Curie
`

const fileExample = `E-mail,Name,Groups
marie@curie.example,Marie Curie,Wholesale;VIP
`

const fileRows = `{"email":"marie@curie.example","name":"Marie Curie","tags":["Wholesale","VIP"]}
`

const text = (example: string) => ({ schema: { type: "string" }, example }) as const

const contactImport = idOf(ContactImportId, "import")

const read = [Problems.PermissionDenied, Problems.NotFound] as const

/** Contacts in files: in and out. */
export class ContactTransferApi extends HttpApiGroup.make("contactTransfer")
  .add(
    HttpApiEndpoint.post("import", "/contacts/imports", {
      query: ImportQuery,
      payload: HttpApiSchema.StreamUint8Array({ contentType: [mediaTypes.csv, mediaTypes.ndjson] }),
      success: ContactImport.pipe(HttpApiSchema.status(202)),
      error: [...read, Problems.TooLarge]
    })
      .annotateMerge(
        describe(
          "importContacts",
          "Import contacts from a file",
          "The body is the file: CSV with a header, or NDJSON, in UTF-8. A row updates the contact with its id, phone number, e-mail address or external id, or creates a contact; empty cells change nothing. Invalid rows are skipped and reported, all others are imported. The columns are checked before the answer; a job imports the rows. An `Idempotency-Key` covers the whole file: the same bytes are imported once."
        )
      )
      .annotateMerge(alsoReads({ [mediaTypes.csv]: text(fileExample), [mediaTypes.ndjson]: text(fileRows) }))
      .middleware(Idempotent),
    HttpApiEndpoint.get("getImport", "/contacts/imports/:id", {
      params: contactImport,
      success: ContactImport,
      error: read
    }).annotateMerge(
      describe(
        "getContactImport",
        "Get a contact import",
        "Stop an import with `POST /jobs/{id}/cancel` and its `jobId`; imported rows stay."
      )
    ),
    HttpApiEndpoint.get("importErrors", "/contacts/imports/:id/errors", {
      params: contactImport,
      success: HttpApiSchema.StreamUint8Array({ contentType: mediaTypes.csv }),
      error: read
    })
      .annotateMerge(
        describe(
          "getContactImportErrors",
          "Get the invalid rows of an import",
          "As CSV: the line in the file, the column, the error, and the cells as they are in the file. The rows are stored for thirty days."
        )
      )
      .annotateMerge(alsoAnswers({ [mediaTypes.csv]: text(errorsExample) })),
    HttpApiEndpoint.get("export", "/contacts/export", {
      query: ExportQuery,
      success: HttpApiSchema.StreamUint8Array({ contentType: mediaTypes.csv }),
      error: read
    })
      .annotateMerge(
        describe(
          "exportContacts",
          "Export contacts",
          "All matching contacts in the order of their creation, in an answer of any length. Values that a spreadsheet would execute as a formula get a leading apostrophe; an import removes it. An incomplete answer ends without a proper end of the connection."
        )
      )
      .annotateMerge(alsoAnswers({ [mediaTypes.csv]: text(csvExample), [mediaTypes.ndjson]: text(ndjsonExample) }))
  )
  .middleware(RequestFaults)
  .middleware(InOrganization)
  .prefix("/api/v1")
  .annotateMerge(area("Contact files", "Import and export of contacts as files of any size.")) {}
