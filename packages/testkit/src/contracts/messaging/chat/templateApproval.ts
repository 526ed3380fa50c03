import { assert, layer as withLayer } from "@effect/vitest"
import type { OutgoingContent } from "@parley/domain/messaging"
import { Effect, type Layer, Stream } from "effect"
import { freshText } from "../../given.ts"
import { has } from "./has.ts"
import { message, text } from "./outgoing.ts"
import { ChannelSide, TemplateSide } from "./sides.ts"

const newTemplate = (name: string) => ({
  name,
  language: "pt-BR",
  category: "utility" as const,
  components: {
    header: { format: "text" as const, text: "News" },
    body: { text: "Hello {{1}}, your order {{2}} left today.", examples: { "1": "Ada", "2": "17" } },
    footer: { text: "Parley" },
    buttons: [{ type: "quick_reply" as const, text: "Thanks" }]
  },
  timeToLive: null
})

const handles: ReadonlyMap<string, string> = new Map()

const filling = (name: string, body: Readonly<Record<string, string>>): OutgoingContent => ({
  kind: "template",
  template: { name, language: "pt-BR", named: false, header: { kind: "none" }, body, buttons: [] }
})

/** Contract of template submission to a provider, and of recipients that accept only templates. Uses real time because of sockets. */
export const templateApprovalContract = <E>(name: string, adapter: Layer.Layer<ChannelSide | TemplateSide, E>): void =>
  withLayer(adapter, { excludeTestServices: true, timeout: "60 seconds" })(`TemplateApproval: ${name}`, (it) => {
    it.effect("asks for a template where the window is closed", () =>
      Effect.gen(function* () {
        const { channel, line } = yield* ChannelSide
        const { silentCustomer } = yield* TemplateSide
        assert.isTrue(channel.sending.hasServiceWindow)
        const error = yield* Effect.flip(channel.sending.send(line, text(yield* silentCustomer)))
        assert.strictEqual(error._tag === "ChannelRefused" && error.remedy, "needs_template")
      })
    )

    it.effect("submits, lists, fills and deletes a template", () =>
      Effect.gen(function* () {
        const { channel, line } = yield* ChannelSide
        const { approve, holdNext, silentCustomer } = yield* TemplateSide
        const { send } = channel.sending
        const templates = yield* has(channel.templates)
        const name = freshText("order").replaceAll("-", "_")
        const submitted = yield* templates.submit(line, { ...newTemplate(name), handles })
        assert.deepStrictEqual([submitted.status, submitted.category], ["pending", "utility"])
        const again = yield* Effect.flip(templates.submit(line, { ...newTemplate(name), handles }))
        assert.strictEqual(again._tag, "ChannelRefused")
        const to = yield* silentCustomer
        const early = yield* Effect.flip(send(line, message(to, filling(name, { "1": "Ada", "2": "17" }))))
        assert.strictEqual(early._tag === "ChannelRefused" && early.remedy, "refresh_template")

        yield* approve(name, "pt-BR")
        const listed = yield* Stream.runCollect(templates.list(line))
        const found = listed.find((template) => template.name === name)
        assert.deepStrictEqual(found, {
          ...newTemplate(name),
          externalId: submitted.externalId,
          status: "approved",
          rejectionReason: null,
          quality: "unknown",
          qualityAt: null,
          announcedCategory: null,
          libraryName: null
        })
        const short = yield* Effect.flip(send(line, message(to, filling(name, { "1": "Ada" }))))
        assert.strictEqual(short._tag === "ChannelRefused" && short.code, 132_000)
        yield* send(line, message(to, filling(name, { "2": "17", "1": "Ada" })))
        yield* holdNext
        const held = yield* send(line, message(yield* silentCustomer, filling(name, { "1": "Ada", "2": "18" })))
        assert.isTrue(held.held)

        yield* templates.remove(line, name, submitted.externalId)
        const left = yield* Stream.runCollect(templates.list(line))
        assert.isFalse(left.some((template) => template.name === name))
      })
    )

    it.effect("archives an approved template, which is refused until it is unarchived", () =>
      Effect.gen(function* () {
        const { channel, line } = yield* ChannelSide
        const { approve, silentCustomer } = yield* TemplateSide
        const templates = yield* has(channel.templates)
        const name = freshText("archived").replaceAll("-", "_")
        const submission = newTemplate(name)
        // The provider rejects a template with the text of another one.
        const components = { ...submission.components, footer: { text: name } }
        const { externalId } = yield* templates.submit(line, { ...submission, components, handles })
        yield* approve(name, "pt-BR")
        const status = Effect.map(
          Stream.runCollect(templates.list(line)),
          (all) => all.find((template) => template.name === name)?.status
        )
        const send = channel.sending.send(
          line,
          message(yield* silentCustomer, filling(name, { "1": "Ada", "2": "17" }))
        )
        yield* templates.archive(line, [externalId])
        yield* templates.archive(line, [externalId])
        assert.strictEqual(yield* status, "archived")
        assert.strictEqual((yield* Effect.flip(send))._tag, "ChannelRefused")
        yield* templates.unarchive(line, [externalId])
        assert.strictEqual(yield* status, "approved")
        yield* send
        yield* templates.remove(line, name, externalId)
      })
    )

    it.effect("upserts authentication templates in several languages", () =>
      Effect.gen(function* () {
        const { channel, line } = yield* ChannelSide
        const templates = yield* has(channel.templates)
        const name = freshText("login").replaceAll("-", "_")
        const authentication = { transfer: "copy_code", securityRecommendation: true, expiryMinutes: 10 } as const
        const upsert = { name, languages: ["en-US", "fr"], authentication, timeToLive: null }
        const created = yield* templates.upsertAuthentication(line, upsert)
        assert.deepStrictEqual(
          created.map(({ language, status }) => [language, status]),
          [
            ["en-US", "pending"],
            ["fr", "pending"]
          ]
        )
        const replaced = yield* templates.upsertAuthentication(line, {
          ...upsert,
          languages: ["fr", "es-ES"],
          authentication: { ...authentication, expiryMinutes: 5 }
        })
        assert.strictEqual(replaced[0]?.externalId, created[1]?.externalId)
        const listed = (yield* Stream.runCollect(templates.list(line))).filter((template) => template.name === name)
        assert.sameDeepMembers(
          listed.map(({ category, components, language }) => [
            language,
            category,
            components.authentication?.expiryMinutes
          ]),
          [
            ["en-US", "authentication", 10],
            ["fr", "authentication", 5],
            ["es-ES", "authentication", 5]
          ]
        )
        yield* Effect.forEach(listed, ({ externalId }) => templates.remove(line, name, externalId))
      })
    )

    it.effect("says that the account must be connected again when its right has ended", () =>
      Effect.gen(function* () {
        const { channel, endedLine } = yield* ChannelSide
        const templates = yield* has(channel.templates)
        const error = yield* Effect.flip(Stream.runCollect(templates.list(endedLine)))
        assert.include(error, { _tag: "ChannelRefused", remedy: "reauthorize" })
      })
    )
  })
