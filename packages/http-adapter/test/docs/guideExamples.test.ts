import { NodeFileSystem } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { nextId, transact } from "@parley/domain/kernel"
import { FileId } from "@parley/domain/platform"
import {
  MediaId,
  MediaLibrary,
  MessageId,
  Messages,
  NewMessage,
  Interactive,
  previewTemplateContent,
  sendMessage,
  TemplateButton,
  templateComponentNames,
  TemplateContentToPreview,
  TemplateHeader,
  validateTemplate,
  Media
} from "@parley/domain/messaging"
import {
  asOperatorOf,
  givenConversation,
  givenMessage,
  givenNumber,
  givenOrganization,
  givenTemplate,
  TestKit
} from "@parley/testkit"
import { DateTime, Effect, Predicate, Schema, SchemaAST } from "effect"
import { readSiteText } from "../../src/server/docs/SiteFiles.ts"

const parse = Schema.decodeUnknownSync(Schema.fromJsonString(Schema.Unknown))

const strictly = { errors: "all", onExcessProperty: "error" } as const

/** JSON blocks below a heading of the second level. */
const blocksBelow = (source: string, heading: string) => {
  const [, rest = ""] = source.split(`\n## ${heading}\n`)
  const [section = ""] = rest.split("\n## ")
  return Array.from(section.matchAll(/^```json\n([\s\S]*?)^```$/gm), ([, text = ""]) => parse(text))
}

const guide = (name: string) => readSiteText(`guides/${name}.md`)

const valuesOf = (field: SchemaAST.PropertySignature) => {
  const { type } = field
  if (SchemaAST.isLiteral(type)) return [String(type.literal)]
  return SchemaAST.isUnion(type)
    ? type.types.flatMap((each) => (SchemaAST.isLiteral(each) ? [String(each.literal)] : []))
    : []
}

/** Members of a union: the values of their discriminator, and their fields. */
const membersOf = (ast: SchemaAST.AST, discriminator: string) =>
  (SchemaAST.isUnion(ast) ? ast.types : []).flatMap((member) => {
    if (!SchemaAST.isObjects(member)) return []
    const { propertySignatures } = member
    const own = propertySignatures.find(({ name }) => name === discriminator)
    const names = propertySignatures.map(({ name }) => String(name))
    return own === undefined ? [] : valuesOf(own).map((value) => ({ value, names }))
  })

const fieldsOf = (examples: ReadonlyArray<unknown>) =>
  new Set(examples.flatMap((example) => (Predicate.isObject(example) ? Object.keys(example) : [])))

const kindOf = (value: unknown, field: string) => (Predicate.hasProperty(value, field) ? value[field] : undefined)

const files = [
  ["a1", "image", "image/jpeg"],
  ["a2", "video", "video/mp4"],
  ["a3", "audio", "audio/ogg"],
  ["a4", "document", "application/pdf"],
  ["a5", "sticker", "image/webp"]
] as const

const idInGuide = (end: string) => `01934bd0-3c4d-7333-8c23-2c3d4e5f60${end}`

const givenFiles = Effect.gen(function* () {
  const createdAt = yield* DateTime.now
  const rows: ReadonlyArray<Media> = yield* Effect.forEach(files, ([end, kind, mimeType]) =>
    Effect.map(
      nextId(FileId),
      (fileId) =>
        new Media({
          id: MediaId.make(idInGuide(end)),
          kind,
          mimeType,
          filename: `bread.${kind}`,
          size: 1_000,
          state: "stored",
          fileId,
          remote: null,
          createdAt
        })
    )
  )
  yield* transact(Effect.flatMap(MediaLibrary, (library) => library.insert(rows)))
})

layer(TestKit.layer)("the examples of the guide about message kinds", (it) => {
  it.effect("are accepted, each by the use case that sends it", () =>
    Effect.gen(function* () {
      const examples = blocksBelow(yield* guide("message-kinds"), "An example of each kind")
      const organization = yield* givenOrganization({ plan: "scale" })
      const account = yield* givenNumber(organization)
      const conversation = yield* givenConversation(organization, { chatAccountId: account.id })
      yield* givenMessage(organization, conversation, {
        id: MessageId.make(idInGuide("b1")),
        providerMessageId: "wamid.1867"
      })
      yield* givenTemplate(organization, account.id, {
        name: "order_ready",
        language: "en-US",
        components: { body: { text: "Hello {{first_name}}, your order is ready." } },
        variables: [{ key: "body.first_name", in: "body", kind: "text" }]
      })
      yield* Effect.gen(function* () {
        yield* givenFiles
        for (const example of examples) {
          const message = yield* Schema.decodeUnknownEffect(NewMessage, strictly)(example)
          const { id, kind } = yield* sendMessage({ id: conversation.id, ...message })
          const stored = yield* Effect.flatMap(Messages, (messages) => messages.get(conversation.id, id))
          assert.deepStrictEqual([stored.kind, stored.status], [kind, "queued"])
        }
      }).pipe(asOperatorOf(organization))
    }).pipe(Effect.provide(NodeFileSystem.layer))
  )

  it.effect("show every kind, and every interactive type with all of its fields", () =>
    Effect.gen(function* () {
      const examples = blocksBelow(yield* guide("message-kinds"), "An example of each kind")
      const kinds = new Set(membersOf(NewMessage.ast, "kind").map(({ value }) => value))
      assert.deepStrictEqual(new Set(examples.map((example) => kindOf(example, "kind"))), kinds)
      const elements = examples.flatMap((example) => kindOf(example, "interactive") ?? [])
      const members = membersOf(Interactive.ast, "type")
      assert.isAbove(members.length, 15)
      for (const { names, value } of members) {
        const shown = fieldsOf(elements.filter((element) => kindOf(element, "type") === value))
        assert.deepStrictEqual([value, names.filter((name) => !shown.has(name))], [value, []])
      }
    }).pipe(Effect.provide(NodeFileSystem.layer))
  )
})

layer(TestKit.layer)("the examples of the guide about templates", (it) => {
  const read = Effect.map(guide("templates"), (source) =>
    blocksBelow(source, "An example of each kind").filter((block) => Predicate.hasProperty(block, "components"))
  )

  it.effect("are accepted for a template, and their values for a message", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      for (const example of yield* read) {
        const content = yield* Schema.decodeUnknownEffect(TemplateContentToPreview, strictly)(example)
        assert.deepStrictEqual(validateTemplate({ ...content, timeToLive: null }), [])
        const { body } = yield* previewTemplateContent(content).pipe(asOperatorOf(organization))
        assert.notMatch(body, /\{\{/)
      }
    }).pipe(Effect.provide(NodeFileSystem.layer))
  )

  it.effect("show every component, every header and every button", () =>
    Effect.gen(function* () {
      const all = (yield* read).map((example) => kindOf(example, "components"))
      const names = templateComponentNames.filter((name) => name !== "unsupported")
      assert.deepStrictEqual(fieldsOf(all), new Set(names))
      const headers = new Set(membersOf(TemplateHeader.ast, "format").map(({ value }) => value))
      assert.deepStrictEqual(new Set(all.flatMap((each) => kindOf(kindOf(each, "header"), "format") ?? [])), headers)
      const cards = all.flatMap((each) => kindOf(each, "cards") ?? [])
      const buttons = [...all, ...cards].flatMap((each) => kindOf(each, "buttons") ?? [])
      const types = new Set(membersOf(TemplateButton.ast, "type").map(({ value }) => value))
      assert.deepStrictEqual(new Set(buttons.map((button) => kindOf(button, "type"))), types)
    }).pipe(Effect.provide(NodeFileSystem.layer))
  )
})
