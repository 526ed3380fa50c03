import { assert, describe, layer } from "@effect/vitest"
import {
  fillTemplate,
  type FilledTemplate,
  filesOfTemplate,
  samplesOf,
  type TemplateComponents,
  withTemplateFiles
} from "@parley/domain/messaging"
import { ChatSimulator } from "@parley/simulators/chat"
import { MemoryChat } from "@parley/testkit"
import { whatsAppFacts } from "@parley/testkit/corpora/whatsapp"
import { Effect, Stream } from "effect"
import { line, number, quiet, simulated } from "./simulated.ts"
import { filled, submissionOf, template } from "./templateFacts.ts"

const png = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3])
const mp4 = Uint8Array.from([0, 0, 0, 24, 0x66, 0x74, 0x79, 0x70, 0x6d, 0x70, 0x34, 0x32])
const pdf = new TextEncoder().encode("%PDF-1.7")

const fileOf = (format: string) => {
  switch (format) {
    case "image":
      return { bytes: png, mimeType: "image/png", filename: "a.png" }
    case "document":
      return { bytes: pdf, mimeType: "application/pdf", filename: "a.pdf" }
    default:
      return { bytes: mp4, mimeType: "video/mp4", filename: "a.mp4" }
  }
}

/** The components as the provider returns them: without samples. */
const withoutSamples = (components: TemplateComponents) =>
  JSON.parse(
    JSON.stringify(components, (key, value: unknown) => (key === "mediaId" || key === "link" ? undefined : value))
  )

/** Body and footer of templates must differ on one account. */
const distinct = (name: string, components: TemplateComponents): TemplateComponents =>
  components.authentication !== undefined || components.cards !== undefined || components.limitedTimeOffer !== undefined
    ? components
    : { ...components, footer: { text: name } }

/** Templates whose messages have another name in the corpus. */
const createdNames: Readonly<Record<string, string>> = {
  authentication: "copy_code",
  "quick-reply-payload": "quick_replies",
  "url-button": "url_button_variable",
  "without-parameters": "body_only"
}

const creations = whatsAppFacts("requests").filter(
  ({ name }) =>
    name.startsWith("create-template-") &&
    name !== "create-template-from-library" &&
    name !== "create-template-small-letters"
)

/** Submits the template of a fact with uploaded samples, and approves it. */
const submit = Effect.fnUntraced(function* ({ body }: (typeof creations)[number]) {
  const channel = yield* MemoryChat.whole
  const simulator = yield* ChatSimulator
  const submission = submissionOf(body)
  const { name } = submission
  const components = distinct(name, submission.components)
  const handles = new Map<string, string>()
  for (const { format, id } of samplesOf(components)) {
    if (!handles.has(id)) handles.set(id, yield* channel.templates.uploadSample(line, fileOf(format)))
  }
  const { externalId } = yield* channel.templates.submit(line, { ...submission, components, handles })
  simulator.decide(number.businessId, name, "en_US", "APPROVED")
  return { name, components, externalId }
})

/** Sends the template of a message of the corpus with uploaded files. */
const send = Effect.fnUntraced(function* (short: string, input: (typeof filled)[string] = {}) {
  const channel = yield* MemoryChat.whole
  const values = "offer.expiresAt" in input ? { ...input, "offer.expiresAt": "2999-01-01T00:00:00Z" } : input
  const created = createdNames[short] ?? short
  const filling = fillTemplate(template(created.replaceAll("-", "_")), values, "/values")
  if (Array.isArray(filling)) return assert.fail(`${short}: ${JSON.stringify(filling)}`)
  const whole = filling as FilledTemplate
  const files = new Map<string, { readonly mediaId: string; readonly filename: string | null }>()
  for (const { media, mediaId } of filesOfTemplate(whole)) {
    const uploaded = yield* channel.media.upload(line, fileOf(media))
    files.set(mediaId, { mediaId: uploaded, filename: media === "document" ? "invoice.pdf" : null })
  }
  const sent = yield* Effect.result(
    channel.sending.send(line, {
      to: {
        kind: "phone",
        value: `+4930${String(1_000_000 + short.length * 1_000 + Math.abs(short.charCodeAt(0)))}`
      },
      content: { kind: "template", template: withTemplateFiles(whole, (mediaId) => files.get(mediaId)) },
      replyTo: null,
      reference: short
    })
  )
  assert.strictEqual(sent._tag, "Success", `${short}: ${JSON.stringify(sent)}`)
})

/** The template of an order needs an own call, and a GIF the interface for marketing. */
const sentElsewhere: ReadonlySet<string> = new Set(["order-details", "gif-header"])

describe("Every template of the corpus, simulated", () => {
  layer(simulated({ ...quiet, reviewMillis: null }), { excludeTestServices: true })((it) => {
    it.effect("is submitted with uploaded samples, read back, and sent", () =>
      Effect.gen(function* () {
        const channel = yield* MemoryChat.whole
        for (const creation of creations) {
          const { components, externalId, name } = yield* submit(creation)
          const listed = yield* Stream.runCollect(channel.templates.list(line))
          const read = listed.find((each) => each.externalId === externalId)
          if (read === undefined) return assert.fail(name)
          assert.strictEqual(read.status, "approved", name)
          assert.isUndefined(read.components.unsupported, name)
          if (components.authentication === undefined) {
            assert.deepStrictEqual(withoutSamples(read.components), withoutSamples(components), name)
          } else assert.strictEqual(read.components.authentication?.transfer, components.authentication.transfer)
        }
        for (const [short, input] of Object.entries(filled)) {
          if (!sentElsewhere.has(short)) yield* send(short, input)
        }
      })
    )

    it.effect("is created from the library, edited and unpaused", () =>
      Effect.gen(function* () {
        const channel = yield* MemoryChat.whole
        const simulator = yield* ChatSimulator
        const { templates } = channel
        const found = yield* templates.library(line, {})
        assert.isNotEmpty(found)
        const submission = {
          ...submissionOf({
            name: "edited",
            language: "en_US",
            category: "UTILITY",
            components: [{ type: "BODY", text: "Your parcel is on its way." }]
          })
        }
        const { externalId } = yield* templates.submit(line, submission)
        simulator.decide(number.businessId, "edited", "en_US", "APPROVED")
        const components = { body: { text: "Your parcel arrives today." } }
        const edit = { components, category: null, timeToLive: 600, handles: new Map<string, string>() }
        yield* templates.edit(line, externalId, edit)
        const again = yield* Effect.flip(templates.edit(line, externalId, edit))
        assert.strictEqual(again._tag, "ChannelRefused")
        const listed = yield* Stream.runCollect(templates.list(line))
        const read = listed.find((each) => each.externalId === externalId)
        assert.deepStrictEqual([read?.components, read?.timeToLive], [components, 600])
        yield* templates.remove(line, "edited", externalId)
      })
    )

    it.effect("is refused with the text of Meta and the required change", () =>
      Effect.gen(function* () {
        const { templates } = yield* MemoryChat.whole
        const submission = submissionOf({
          name: "link_as_sample",
          language: "en_US",
          category: "MARKETING",
          components: [
            { type: "HEADER", format: "IMAGE", example: { header_handle: ["https://scontent.example/1"] } },
            { type: "BODY", text: "Our bread is here." }
          ]
        })
        const refused = yield* Effect.flip(templates.submit(line, submission))
        assert.strictEqual(refused._tag === "ChannelRefused" && refused.subcode, 2_388_273)
        assert.include(refused.message, "Upload the sample file again")
      })
    )
  })
})

describe("A template with a GIF, simulated", () => {
  layer(simulated({ ...quiet, reviewMillis: null, startAt: 1_780_000_000_000 }), { excludeTestServices: true })(
    (it) => {
      it.effect("is sent over the interface for marketing", () =>
        Effect.gen(function* () {
          const simulator = yield* ChatSimulator
          for (const creation of creations) if (creation.name === "create-template-gif-header") yield* submit(creation)
          simulator.act({ act: "set_account", businessId: number.businessId, marketingOnboarding: "ONBOARDED" })
          simulator.advance(11 * 60_000)
          yield* send("gif-header", filled["gif-header"])
        })
      )
    }
  )
})
