import { assert, describe, it } from "@effect/vitest"
import { compileVisibility, type Permission, viewPermissions, shownWithKeyword } from "@parley/domain/kernel"
import { DomainEvent, eventPermissions } from "@parley/domain/composition"
import { Arbitrary, Result, Schema, SchemaAST } from "effect"
import { HttpApiSchema } from "effect/http-api"
import { openApi } from "../src/server/openapi/openApi.ts"
import { answers } from "../src/server/answers/answerWriters.ts"
import { freeTextsOf, timesOf } from "./harness/contactData.ts"
import { type Endpoint, endpoints } from "./harness/contract.ts"
import { notContactClocks, notContactData, notContactDataInEvents } from "./harness/notContactData.ts"
import { permissionOf } from "./harness/declarations.ts"
import { uncheckedJson } from "./harness/uncheckedJson.ts"

/** The schema of a stream of bytes has neither a JSON form nor annotations. */
const isBytes = ({ ast }: { readonly ast: SchemaAST.AST }) =>
  SchemaAST.isDeclaration(ast) && ast.encoding === undefined && ast.annotations === undefined

const answersOf = ({ contract }: Endpoint): ReadonlyArray<Schema.Codec<unknown>> =>
  Array.from(contract.success, (schema: Schema.Top) => schema)
    .filter((schema) => !isBytes(schema) && !HttpApiSchema.isNoContent(schema.ast))
    // Reflection does not know that no schema of the contract needs a service.
    .map((schema) => schema as Schema.Codec<unknown>)

/** Hidden values of an answer for a caller with this permission alone. */
const missingOf = (schema: Schema.Top, held: Permission | null): ReadonlyArray<Permission> =>
  compileVisibility(schema).permissions.filter((needed) => held === null || !viewPermissions(needed).includes(held))

describe("Every text in an answer", () => {
  it("has an annotation with its permissions, or is listed as free of contact data", () => {
    const found = endpoints.flatMap((endpoint) =>
      answersOf(endpoint).flatMap((schema) => freeTextsOf(schema, endpoint.id))
    )
    const open = found.filter(({ shownWith }) => shownWith.size === 0).map(({ name }) => name)
    const texts = open.filter((name) => !name.endsWith(".nextCursor") && !name.startsWith("FeedEvent.event."))
    assert.deepStrictEqual(
      texts.filter((name) => !notContactData.has(name)),
      [],
      "Annotate the fields with `shownWith`, or list them in harness/notContactData.ts."
    )
    assert.deepStrictEqual(
      Array.from(notContactData).filter((name) => !texts.includes(name)),
      [],
      "Remove the fields from harness/notContactData.ts."
    )
  })

  it("is collected from all answers, including these known fields", () => {
    const guarded = new Set(
      endpoints.flatMap((endpoint) =>
        answersOf(endpoint)
          .flatMap((schema) => freeTextsOf(schema, endpoint.id))
          .filter(({ shownWith }) => shownWith.size > 0)
          .map(({ name }) => name)
      )
    )
    for (const name of [
      "Contact.phone",
      "Contact.attributes.*",
      "ContactIdentity.value",
      "Message.text",
      "Message.raw",
      "Note.text",
      "ConversationContact.phone",
      "StoreLine.title",
      "StoreCustomer.email",
      "BroadcastRecipient.address",
      "ConditionExplanation.saw",
      "TriedAction.rendered",
      "WorkflowStep.output",
      "AuditEvent.before.*"
    ]) {
      assert.isTrue(guarded.has(name), name)
    }
  })
})

describe("Every time at which something continues", () => {
  it("has an annotation with its permissions, or is listed as no clock of a contact", () => {
    const times = endpoints.flatMap((endpoint) => answersOf(endpoint).flatMap((schema) => timesOf(schema, endpoint.id)))
    const continuing = times.filter(({ name }) => /(?:due|next|retry|wake)At$|until$/iu.test(name))
    const open = continuing.filter(({ shownWith }) => shownWith.size === 0).map(({ name }) => name)
    assert.deepStrictEqual(Array.from(new Set(open)).toSorted(), Array.from(notContactClocks))
    assert.includeMembers(
      continuing.flatMap(({ name, shownWith }) => (shownWith.size > 0 ? [name] : [])),
      ["AutomationRunAction.until", "BroadcastRecipient.dueAt", "BroadcastWaiting.until", "WorkflowRun.wakeAt"]
    )
  })
})

describe("Every file", () => {
  it("has a permission that shows all of it, because no mask applies to bytes", () => {
    const files = endpoints.flatMap((endpoint) => {
      const permission = permissionOf(endpoint)
      return permission !== null && Array.from(endpoint.contract.success).some(isBytes)
        ? [[endpoint.id, permission]]
        : []
    })
    assert.deepStrictEqual(Object.fromEntries(files), {
      "broadcasts.exportRecipients": "contacts.export",
      "contactTransfer.export": "contacts.export",
      // The rows of the uploaded file.
      "contactTransfer.importErrors": "contacts.import",
      "media.download": "conversations.read"
    })
  })
})

describe("Every event", () => {
  it("contains no contact data, because the feed, streams and thin deliveries have no mask", () => {
    const found = DomainEvent.members.flatMap((member) => freeTextsOf(member, member.fields.type.literal))
    assert.deepStrictEqual(
      found.map(({ name }) => name).filter((name) => !notContactDataInEvents.has(name)),
      []
    )
    assert.deepStrictEqual(compileVisibility(DomainEvent).permissions, [])
    assert.hasAllKeys(
      eventPermissions,
      DomainEvent.members.map((member) => member.fields.type.literal)
    )
  })
})

/** Endpoints with two answers. Their jobs have visible counts, because only jobs of imports hide them. */
const withJobOrCount: ReadonlySet<string> = new Set([
  "automations.cancelRuns",
  "automations.rerunRuns",
  "workflows.cancelRuns",
  "workflows.rerunRuns"
])

describe("An answer to a caller with the permission of the endpoint alone", () => {
  for (const endpoint of endpoints) {
    const held = permissionOf(endpoint)
    for (const schema of answersOf(endpoint)) {
      const missing = missingOf(schema, held)
      if (missing.length === 0) continue
      const showing = compileVisibility(schema)
      const encoded = Schema.toCodecJson(schema)
      const decode = Schema.decodeUnknownResult(encoded, { disableChecks: true })

      it(`of ${endpoint.id} uses a masking writer`, () => {
        assert.isTrue(answers.has(endpoint.contract) || withJobOrCount.has(endpoint.id))
      })

      it.prop(
        `of ${endpoint.id} is what the contract says`,
        { json: Arbitrary.filterMap(uncheckedJson(encoded), (json) => Result.map(decode(json), () => json)) },
        ({ json }) => {
          assert.isTrue(Result.isSuccess(decode(showing.without(missing)(json))))
        },
        { arbitrary: { runs: 20 } }
      )
    }
  }
})

describe("The OpenAPI document", () => {
  const schemas = openApi("https://parley.example").components.schemas as Readonly<
    Record<string, { readonly properties?: Readonly<Record<string, Readonly<Record<string, unknown>>>> }>
  >

  it("names the permissions of fields with contact data", () => {
    const address = schemas["BroadcastRecipient"]?.properties?.["address"]
    assert.deepStrictEqual(address?.[shownWithKeyword], ["contacts.read"])
    assert.match(String(address?.["description"]), /\. Null without `contacts\.read`\.$/)
    const { saw } = schemas["ConditionExplanation"]?.properties ?? {}
    assert.deepStrictEqual(saw?.[shownWithKeyword], ["contacts.read", "conversations.read", "commerce.read"])
    assert.match(
      String(saw?.["description"]),
      /without `contacts\.read` and `conversations\.read` and `commerce\.read`\.$/
    )
  })
})

describe("A caller", () => {
  it("sees the data that it can change or export", () => {
    assert.deepStrictEqual(viewPermissions("contacts.read"), ["contacts.read", "contacts.manage", "contacts.export"])
    assert.deepStrictEqual(viewPermissions("conversations.read"), ["conversations.read", "conversations.manage"])
    assert.deepStrictEqual(viewPermissions("commerce.read"), ["commerce.read"])
  })
})
