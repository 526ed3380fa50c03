import { Timestamp } from "@parley/domain/kernel"
import {
  ConsentState,
  ContactSort,
  Country,
  ExpandedContact,
  FilterInput,
  SegmentId,
  TagRef,
  TransferFormat
} from "@parley/domain/crm"
import { DateTime, Effect, Option, Schema } from "effect"
import { Command, Flag } from "effect/cli"
import * as Flags from "../../console/flags.ts"
import { collect, listFlags, one, queryOf, several } from "../../console/listing.ts"
import { output, printList, type View, writeBytes } from "../../console/print.ts"
import { typedFlag } from "../../console/typed.ts"
import { inTenant } from "../../tenant/inTenant.ts"
import { importCommand, importErrorsCommand } from "./import.ts"
import { runsCommand } from "./runs.ts"

const exportCommand = Command.make(
  "export",
  {
    org: Flags.org,
    format: Flag.Literals("format", TransferFormat.literals).pipe(
      Flag.withDescription("Format of the file (csv)"),
      Flag.withDefault("csv")
    ),
    output,
    tag: typedFlag("tag", TagRef).pipe(
      Flag.withMetavar("tag"),
      Flag.withDescription("Only contacts with this tag, by its name or id"),
      Flag.optional
    ),
    segment: typedFlag("segment", SegmentId).pipe(
      Flag.withMetavar("id"),
      Flag.withDescription("Only contacts in this segment"),
      Flag.optional
    )
  },
  Effect.fn(function* ({ format, org, output, segment, tag }) {
    const query = {
      format,
      ...(Option.isSome(tag) && { tag: [tag.value] }),
      ...(Option.isSome(segment) && { segment: segment.value })
    }
    yield* inTenant(org, ({ contactTransfer }) => writeBytes(contactTransfer.export({ query }), output))
  })
).pipe(
  Command.withDescription("Export contacts"),
  Command.withExamples([{ command: "parley contacts export --org acme --output contacts.csv" }])
)

const view: View<ExpandedContact> = {
  schema: ExpandedContact,
  none: "No matching contact was found.",
  columns: [
    { heading: "ID", of: (contact) => contact.id },
    { heading: "NAME", of: (contact) => contact.name ?? "" },
    { heading: "PHONE", of: (contact) => contact.phone ?? "" },
    { heading: "E-MAIL", of: (contact) => contact.email ?? "" },
    { heading: "CONSENT", of: (contact) => contact.consent.marketing },
    { heading: "LAST SEEN", of: ({ lastSeenAt }) => (lastSeenAt === null ? "" : DateTime.formatIso(lastSeenAt)) },
    { heading: "ADDED", of: (contact) => DateTime.formatIso(contact.createdAt) }
  ]
}

const listCommand = Command.make(
  "list",
  {
    org: Flags.org,
    sort: Flag.Literals("sort", ContactSort.literals).pipe(
      Flag.withDescription("Sort order; a minus means descending (-createdAt)"),
      Flag.optional
    ),
    ...listFlags({
      q: one(Schema.NonEmptyString),
      phone: one(Schema.NonEmptyString),
      country: one(Country),
      email: one(Schema.NonEmptyString),
      tag: several(TagRef),
      tagMatch: one(Schema.Literals(["any", "all"])),
      consent: one(ConsentState),
      createdFrom: one(Timestamp),
      createdTo: one(Timestamp),
      lastSeenFrom: one(Timestamp),
      lastSeenTo: one(Timestamp),
      segment: one(SegmentId),
      filter: one(Schema.fromJsonString(FilterInput))
    })
  },
  Effect.fn(function* ({ filter, json, limit, org, quiet, sort }) {
    const asked = { ...filter, ...(Option.isSome(sort) && { sort: sort.value }) }
    yield* inTenant(
      org,
      Effect.fnUntraced(function* ({ contacts }) {
        const { isCut, rows } = yield* collect(limit, (page) =>
          contacts.list({ query: { ...asked, ...queryOf(page) } })
        )
        yield* printList(view, { json, quiet }, rows, isCut)
      })
    )
  })
).pipe(
  Command.withDescription("List and search the contacts, newest first"),
  Command.withAlias("ls"),
  Command.withExamples([
    { command: "parley contacts list --org acme --filter q=lovelace" },
    { command: 'parley contacts list --filter phone="0170 1234567" --filter country=DE' },
    { command: "parley contacts list --filter tag=VIP --filter consent=subscribed --sort name" }
  ])
)

export const contacts = Command.make("contacts").pipe(
  Command.withSubcommands([listCommand, runsCommand, importCommand, importErrorsCommand, exportCommand])
)
