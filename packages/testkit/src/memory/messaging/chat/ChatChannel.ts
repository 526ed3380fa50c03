import {
  type AcceptedMessage,
  ChannelInDoubt,
  ChannelRefused,
  ChannelUnreachable,
  type ChatChannel,
  ChatChannels,
  type DeliveryPart,
  type DeliveryParser,
  type InboundEvent,
  type ProviderConnection,
  type NumberDetails,
  type NumberHealth,
  OnboardingRefused,
  type OnboardingReason,
  type MessageSender,
  type OutgoingMessage,
  type LibraryTemplate,
  type ProviderTemplate,
  type Remedy,
  SignupCodeRefused,
  type TokenDetails,
  unknownDetails,
  samplesOf,
  type TemplateComponents
} from "@parley/domain"
import { Context, DateTime, Effect, Layer, Option, Predicate, Redacted, Schema, Stream } from "effect"
import { createHmac, timingSafeEqual } from "node:crypto"

/** Provider that this channel simulates. */
const provider = "whatsapp"

/** A channel that has everything. */
export type WholeChannel = {
  readonly [Need in Exclude<keyof ChatChannel, "endpoints">]: NonNullable<ChatChannel[Need]>
} & Pick<ChatChannel, "endpoints">

/** Scripted outcome of the next message instead of acceptance. */
export type NextSend =
  | { readonly kind: "refused"; readonly code: number; readonly remedy: Remedy; readonly retryAfterMillis?: number }
  | { readonly kind: "unreachable" }
  /** Taken or not, the answer is lost. */
  | { readonly kind: "in_doubt"; readonly taken: boolean }
  | { readonly kind: "held" }

/** A message that was taken. */
export interface SentMessage {
  readonly providerMessageId: string
  readonly line: ProviderConnection
  readonly message: OutgoingMessage
}

/** Provider side of the in-memory chat channel, for test scripts and assertions. */
export class ChatScript extends Context.Service<
  ChatScript,
  {
    readonly sent: Effect.Effect<ReadonlyArray<SentMessage>>
    readonly read: Effect.Effect<ReadonlyArray<string>>
    /** Messages with a typing indicator. */
    readonly typed: Effect.Effect<ReadonlyArray<string>>
    /** Happens to the next message, or to the next one for this recipient. */
    readonly next: (what: NextSend, to?: string) => Effect.Effect<void>
    /** Opens or closes the free-form message window of a recipient. Default: open. */
    readonly setWindow: (to: string, open: boolean) => Effect.Effect<void>
    readonly setHealth: (phoneId: string, health: Partial<NumberHealth>) => Effect.Effect<void>
    /** Changes the details of a number, such as its registration. */
    readonly setDetails: (phoneId: string, details: Partial<NumberDetails>) => Effect.Effect<void>
    /** PIN of the number's two-step verification. */
    readonly setPin: (phoneId: string, pin: string) => Effect.Effect<void>
    readonly pinOf: (phoneId: string) => Effect.Effect<string | null>
    /** Numbers of a business account. By default it has each number that is connected with it. */
    readonly setNumbers: (businessId: string, phoneIds: ReadonlyArray<string>) => Effect.Effect<void>
    /** Subscribes an app of the business account, with another address for its events. */
    readonly setCallback: (businessId: string, url: string) => Effect.Effect<void>
    /** Code that the provider has sent to a number. */
    readonly setCode: (phoneId: string, code: string) => Effect.Effect<void>
    /** Business accounts that the token cannot use. */
    readonly closeAccount: (accessToken: string, businessId: string) => Effect.Effect<void>
    readonly setToken: (accessToken: string, token: TokenDetails) => Effect.Effect<void>
    /** Refuses the next onboarding step. */
    readonly refuseStep: (reason: OnboardingReason, code: number) => Effect.Effect<void>
    /** Onboarding calls in their order, such as `register phone-1`. */
    readonly steps: Effect.Effect<ReadonlyArray<string>>
    readonly revoke: (accessToken: string) => Effect.Effect<void>
    /** From then on the provider has no such number. */
    readonly forget: (phoneId: string) => Effect.Effect<void>
    readonly addFile: (bytes: Uint8Array, mimeType: string) => Effect.Effect<string>
    /** Serves a file at a public address. */
    readonly serveLink: (link: string, bytes: Uint8Array, mimeType: string) => Effect.Effect<void>
    readonly addSignupCode: (code: string, accessToken: string) => Effect.Effect<void>
    readonly keepTemplate: (template: ProviderTemplate) => Effect.Effect<void>
    readonly decide: (name: string, language: string, status: ProviderTemplate["status"]) => Effect.Effect<void>
    /** What happened, as it is delivered, with its signature. */
    readonly deliver: (
      events: ReadonlyArray<InboundEvent>,
      secret: Redacted.Redacted
    ) => { readonly body: Uint8Array; readonly headers: Readonly<Record<string, string>> }
  }
>()("@parley/testkit/memory/messaging/chat/ChatScript") {}

const sign = (secret: Redacted.Redacted, body: Uint8Array) =>
  createHmac("sha256", Redacted.value(secret)).update(body).digest()

/** The only template of the library. */
const library: ReadonlyArray<LibraryTemplate> = [
  {
    name: "delivery_update_1",
    language: "en",
    category: "utility",
    topic: "ORDER_MANAGEMENT",
    useCase: "DELIVERY_UPDATE",
    industries: ["E_COMMERCE"],
    header: null,
    body: "Good news! Your order #{{1}} is on its way to {{2}}. Thank you for your order!",
    bodyTypes: ["TEXT", "ADDRESS"],
    buttons: []
  }
]

const newTemplate = (
  externalId: string,
  template: Pick<ProviderTemplate, "category" | "components" | "language" | "name" | "timeToLive">
): ProviderTemplate => ({
  ...template,
  externalId,
  status: "pending",
  rejectionReason: null,
  quality: "unknown",
  qualityAt: null,
  announcedCategory: null,
  libraryName: null
})

/** Replaces samples by links, as a provider returns them. */
const withLinks = ({ header, ...components }: TemplateComponents): TemplateComponents => {
  if (header === undefined || !("mediaId" in header) || header.mediaId === undefined) {
    return header === undefined ? components : { ...components, header }
  }
  const { format, mediaId } = header
  return { ...components, header: { format, link: `https://scontent.example/${mediaId}` } }
}

/** Header with the signature of deliveries. */
export const signatureHeader = "x-hub-signature-256"

const isSigned: DeliveryParser["isSigned"] = (secrets, { body, headers }) => {
  const [, hex] = /^sha256=([0-9a-f]{64})$/u.exec(headers[signatureHeader] ?? "") ?? []
  if (hex === undefined) return false
  return secrets.map((secret) => timingSafeEqual(sign(secret, body), Buffer.from(hex, "hex"))).includes(true)
}

const parseJson = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Unknown))
const parseTime = Schema.decodeUnknownOption(Schema.DateTimeUtcFromString)

const placed = (event: object): InboundEvent => {
  if (!("at" in event)) return event as InboundEvent
  const at = Option.getOrElse(parseTime(event.at), () => DateTime.makeUnsafe(0))
  return { ...event, at } as InboundEvent
}

const read = (body: Uint8Array): ReadonlyArray<InboundEvent> | null => {
  const delivery = Option.getOrUndefined(parseJson(new TextDecoder().decode(body)))
  if (!Predicate.hasProperty(delivery, "memory") || !Array.isArray(delivery.memory)) return null
  return delivery.memory.map((event: unknown) =>
    Predicate.isObject(event) && Predicate.isString(event["kind"])
      ? placed(event)
      : { kind: "unknown", businessId: "", phoneId: null, field: "none" }
  )
}

const numberOf = (event: unknown) => {
  const { businessId, phoneId } = (Predicate.isObject(event) ? event : {}) as Readonly<Record<string, unknown>>
  return {
    businessId: Predicate.isString(businessId) ? businessId : "",
    phoneId: Predicate.isString(phoneId) ? phoneId : null
  }
}

/** Splits a delivery into one part per number. */
const parts = (body: Uint8Array): ReadonlyArray<DeliveryPart> | null => {
  const delivery = Option.getOrUndefined(parseJson(new TextDecoder().decode(body)))
  if (!Predicate.hasProperty(delivery, "memory") || !Array.isArray(delivery.memory)) return null
  const ofNumbers = Map.groupBy(delivery.memory, (event: unknown) => JSON.stringify(numberOf(event)))
  return [...ofNumbers.values()].map((events) => ({
    ...numberOf(events[0]),
    body: new TextEncoder().encode(JSON.stringify({ memory: events }))
  }))
}

/** Contents of deliveries to the account. */
const partsTo: DeliveryParser["parts"] = (body, to) => {
  const delivery = Option.getOrUndefined(parseJson(new TextDecoder().decode(body)))
  if (to === null || !Predicate.hasProperty(delivery, "memory") || !Array.isArray(delivery.memory)) return null
  const memory = delivery.memory.map((event: unknown) =>
    Predicate.isObject(event) ? { ...event, phoneId: to } : event
  )
  return [{ businessId: to, phoneId: to, body: new TextEncoder().encode(JSON.stringify({ memory })) }]
}

const refused = (code: number, remedy: Remedy, reason: string, retryAfterMillis: number | null = null) =>
  new ChannelRefused({ code, remedy, reason, retryAfterMillis })

const refusedFor = (reason: OnboardingReason, code: number) =>
  new OnboardingRefused({ reason, providerCode: code, providerReason: `Refused with ${code}.`, retryAt: null })

const refusedHandle = refused(100, "give_up", "The handle of a sample is not valid.")

const variablesIn = (text: string) =>
  [...new Set(Array.from(text.matchAll(/\{\{\s*(\w+)\s*\}\}/gu), ([, name = ""]) => name))].toSorted()

/** Returns a distinct number for each provider id. */
const phoneOf = (phoneId: string) =>
  `+1 555-${String(createHmac("sha256", "phone").update(phoneId).digest().readUIntBE(0, 4) % 10_000_000).padStart(7, "0")}`

/** Details of a number that is registered and needs nothing else. */
const registeredDetails: NumberDetails = {
  ...unknownDetails,
  status: "connected",
  codeVerification: "verified",
  verifiedName: "Memory",
  nameStatus: "approved",
  platform: "cloud_api",
  mode: "live",
  throughput: "standard",
  isPinEnabled: true,
  isOnBusinessApp: false,
  canSend: "available",
  health: [{ kind: "business_account", externalId: null, canSend: "available", issues: [], limits: [] }]
}

const healthy = (phoneId: string): NumberHealth => ({
  displayPhone: phoneOf(phoneId),
  verifiedName: "Memory",
  quality: "green",
  messagingLimit: "TIER_2K",
  throughputPerSecond: 80,
  sending: "available",
  issues: [],
  details: registeredDetails
})

const make = () => {
  const sent: Array<SentMessage> = []
  const marked: Array<string> = []
  const typed: Array<string> = []
  const closed = new Set<string>()
  const revoked = new Set<string>()
  const forgotten = new Set<string>()
  const codes = new Map<string, string>()
  const files = new Map<string, { readonly bytes: Uint8Array; readonly mimeType: string }>()
  const links = new Map<string, { readonly bytes: Uint8Array; readonly mimeType: string }>()
  const templates = new Map<string, ProviderTemplate>()
  const health = new Map<string, NumberHealth>()
  const pins = new Map<string, string>()
  const tokens = new Map<string, TokenDetails>()
  const callbacks = new Map<string, string | null>()
  const numbers = new Map<string, ReadonlyArray<string>>()
  const closedAccounts = new Set<string>()
  const codesSent = new Map<string, string>()
  const steps: Array<string> = []
  let refusedStep: OnboardingRefused | null = null
  let script: ReadonlyArray<{ readonly what: NextSend; readonly to: string | undefined }> = []
  let count = 0
  const nextId = (prefix: string) => `${prefix}${String((count += 1)).padStart(12, "0")}`
  const keyOf = (name: string, language: string) => JSON.stringify([name, language])

  const takeNext = (to: string): NextSend | null => {
    const found = script.find((entry) => entry.to === undefined || entry.to === to)
    script = script.filter((entry) => entry !== found)
    return found?.what ?? null
  }

  const authorized = (line: ProviderConnection) =>
    revoked.has(Redacted.value(line.accessToken))
      ? Effect.fail(refused(190, "reauthorize", "The access token has expired."))
      : Effect.void

  const misfit = ({ content, to }: OutgoingMessage): ChannelRefused | null => {
    if (content.kind !== "template") {
      return closed.has(to.value) && content.kind !== "reaction"
        ? refused(131_047, "needs_template", "More than 24 hours have passed since the last reply.")
        : null
    }
    const template = templates.get(keyOf(content.template.name, content.template.language))
    if (template?.status !== "approved") return refused(132_001, "refresh_template", "The template is not approved.")
    if (template.components.authentication !== undefined) return null
    const body = template.components.body?.text ?? ""
    const given = Object.keys(content.template.body).toSorted()
    return variablesIn(body).join() === given.join()
      ? null
      : refused(132_000, "refresh_template", "The number of parameters does not match.")
  }

  const take = (line: ProviderConnection, message: OutgoingMessage, held: boolean): AcceptedMessage => {
    const providerMessageId = nextId("wamid.memory")
    sent.push({ providerMessageId, line, message })
    return { providerMessageId, held }
  }

  const send: MessageSender["send"] = Effect.fnUntraced(function* (line, message) {
    yield* authorized(line)
    const next = takeNext(message.to.value)
    if (next?.kind === "unreachable") return yield* new ChannelUnreachable()
    if (next?.kind === "refused") {
      return yield* refused(next.code, next.remedy, "This was asked for.", next.retryAfterMillis ?? null)
    }
    const why = misfit(message)
    if (why !== null) return yield* why
    if (next?.kind === "in_doubt") {
      if (next.taken) take(line, message, false)
      return yield* new ChannelInDoubt({ reason: "connection_lost" })
    }
    return take(line, message, next?.kind === "held")
  })

  const addFile = (bytes: Uint8Array, mimeType: string) => {
    const id = nextId("4")
    files.set(id, { bytes, mimeType })
    return id
  }

  const healthOf = (phoneId: string) => health.get(phoneId) ?? healthy(phoneId)

  const setDetails = (phoneId: string, details: Partial<NumberDetails>) => {
    const before = healthOf(phoneId)
    health.set(phoneId, { ...before, details: { ...before.details, ...details } })
  }

  const step = <A>(line: ProviderConnection, name: string, done: () => A | OnboardingRefused) =>
    Effect.suspend(() => {
      steps.push(name)
      if (revoked.has(Redacted.value(line.accessToken))) return Effect.fail(refusedFor("token_ended", 190))
      const scripted = refusedStep
      refusedStep = null
      if (scripted !== null) return Effect.fail(scripted)
      const answer = done()
      return answer instanceof OnboardingRefused ? Effect.fail(answer) : Effect.succeed(answer)
    })

  const setStatus = (
    line: ProviderConnection,
    externalIds: ReadonlyArray<string>,
    status: ProviderTemplate["status"]
  ) =>
    Effect.map(authorized(line), () => {
      for (const [key, kept] of templates) {
        if (externalIds.includes(kept.externalId)) templates.set(key, { ...kept, status })
      }
    })

  const channel: WholeChannel = {
    sending: {
      kinds: new Set([
        "text",
        "image",
        "video",
        "audio",
        "document",
        "sticker",
        "interactive",
        "template",
        "reaction",
        "location",
        "contacts",
        "provider"
      ]),
      reaches: new Set(["phone", "chat_user"]),
      hasServiceWindow: true,
      send,
      markRead: (line, providerMessageId, { isTyping }) =>
        Effect.map(authorized(line), () => {
          marked.push(providerMessageId)
          if (isTyping) typed.push(providerMessageId)
        })
    },
    media: {
      upload: (line, { bytes, mimeType }) => Effect.map(authorized(line), () => addFile(bytes, mimeType)),
      download: Effect.fnUntraced(function* (line, mediaId, most) {
        yield* authorized(line)
        const file = files.get(mediaId)
        if (file === undefined) return yield* refused(100, "give_up", "There is no such file.")
        const { bytes, mimeType } = file
        if (bytes.length > most) return yield* refused(131_052, "give_up", `The file is larger than ${most} bytes.`)
        return { mimeType, size: bytes.length, bytes: Stream.succeed(bytes) }
      }),
      fetchLink: Effect.fnUntraced(function* (link, most) {
        if (new URL(link).hostname.endsWith(".invalid")) return yield* new ChannelUnreachable()
        const file = links.get(link)
        if (file === undefined) return yield* refused(131_052, "give_up", "The host answered 404.")
        const { bytes, mimeType } = file
        if (bytes.length > most) return yield* refused(131_052, "give_up", `The file is larger than ${most} bytes.`)
        return { mimeType, size: bytes.length, bytes: Stream.succeed(bytes) }
      })
    },
    endpoints: null,
    checking: {
      check: Effect.fnUntraced(function* (line) {
        yield* authorized(line)
        const { phoneId } = line
        if (forgotten.has(phoneId)) return yield* refused(100, "give_up", `Object with ID '${phoneId}' does not exist.`)
        return healthOf(phoneId)
      })
    },
    templates: {
      submit: Effect.fnUntraced(function* (line, template) {
        yield* authorized(line)
        const key = keyOf(template.name, template.language)
        if (templates.has(key)) return yield* refused(100, "give_up", "There is already such a template.")
        const { category, components, handles, language, name, timeToLive } = template
        if (samplesOf(components).some(({ id }) => !handles.has(id))) return yield* refusedHandle
        const kept = newTemplate(nextId("5"), {
          category,
          components: withLinks(components),
          language,
          name,
          timeToLive
        })
        templates.set(key, kept)
        return kept
      }),
      uploadSample: (line, { bytes, mimeType }) => Effect.map(authorized(line), () => `4::${addFile(bytes, mimeType)}`),
      submitFromLibrary: Effect.fnUntraced(function* (line, { buttons, category, language, libraryName, name }) {
        yield* authorized(line)
        const key = keyOf(name, language)
        if (templates.has(key)) return yield* refused(100, "give_up", "There is already such a template.")
        const found = library.find((each) => each.name === libraryName)
        if (found === undefined) return yield* refused(100, "give_up", "There is no such template in the library.")
        const kept = newTemplate(nextId("5"), {
          category,
          components: {
            body: { text: found.body },
            ...(buttons.length === 0 ? {} : { buttons: buttons.map((button) => ({ ...button, text: "Open" })) })
          },
          language,
          name,
          timeToLive: null
        })
        templates.set(key, { ...kept, status: "approved", libraryName })
        return { ...kept, status: "approved" as const }
      }),
      edit: Effect.fnUntraced(function* (line, externalId, { category, components, handles, timeToLive }) {
        yield* authorized(line)
        const found = [...templates].find(([, kept]) => kept.externalId === externalId)
        if (found === undefined) return yield* refused(100, "give_up", "There is no such template.")
        if (samplesOf(components ?? {}).some(({ id }) => !handles.has(id))) return yield* refusedHandle
        const [key, kept] = found
        templates.set(key, {
          ...kept,
          category: category ?? kept.category,
          components: components === null ? kept.components : withLinks(components),
          timeToLive: timeToLive ?? kept.timeToLive,
          status: kept.status === "rejected" ? "pending" : kept.status
        })
      }),
      unpause: Effect.fnUntraced(function* (line, externalId) {
        yield* authorized(line)
        const found = [...templates].find(([, kept]) => kept.externalId === externalId)
        if (found === undefined) return yield* refused(100, "give_up", "There is no such template.")
        templates.set(found[0], { ...found[1], status: "approved" })
      }),
      upsertAuthentication: Effect.fnUntraced(function* (line, { authentication, languages, name, timeToLive }) {
        yield* authorized(line)
        return languages.map((language) => {
          const fields = { name, language, category: "authentication" as const, components: { authentication } }
          const before = templates.get(keyOf(name, language))
          const kept =
            before === undefined
              ? newTemplate(nextId("5"), { ...fields, timeToLive })
              : { ...before, ...fields, timeToLive: timeToLive ?? before.timeToLive }
          templates.set(keyOf(name, language), kept)
          return { externalId: kept.externalId, language, status: kept.status }
        })
      }),
      archive: (line, externalIds) => setStatus(line, externalIds, "archived"),
      unarchive: (line, externalIds) => setStatus(line, externalIds, "approved"),
      library: (line, { industry, language, search = "", topic, useCase }) =>
        Effect.map(authorized(line), () =>
          library.filter(
            (each) =>
              `${each.name} ${each.body}`.includes(search) &&
              (topic === undefined || each.topic === topic) &&
              (useCase === undefined || each.useCase === useCase) &&
              (industry === undefined || each.industries.includes(industry)) &&
              (language === undefined || each.language === language)
          )
        ),
      remove: Effect.fnUntraced(function* (line, name, externalId) {
        yield* authorized(line)
        const found = [...templates].find(([, kept]) => kept.name === name && kept.externalId === externalId)
        if (found === undefined) return yield* refused(100, "give_up", "There is no such template.")
        templates.delete(found[0])
      }),
      list: (line) => Stream.unwrap(Effect.map(authorized(line), () => Stream.fromIterable([...templates.values()])))
    },
    signup: {
      exchangeCode: (code) => {
        const token = codes.get(Redacted.value(code))
        codes.delete(Redacted.value(code))
        return token === undefined
          ? Effect.fail(new SignupCodeRefused({ providerCode: 100, reason: "The code is not valid." }))
          : Effect.succeed(Redacted.make(token))
      },
      readSession: (session) =>
        typeof session["number"] === "string" && typeof session["business"] === "string"
          ? {
              kind: "finished",
              externalAccountId: session["business"],
              externalPhoneId: session["number"],
              isCoexistence: session["coexistence"] === true
            }
          : session["cancelled"] === true
            ? { kind: "cancelled", step: "PHONE_NUMBER_SETUP", shownError: null, errorId: null }
            : { kind: "invalid", pointer: "/number", message: "Expected a number" }
    },
    onboarding: {
      requiredScopes: ["manage", "send"],
      describeToken: ({ accessToken }) => Effect.sync(() => tokens.get(Redacted.value(accessToken)) ?? null),
      listNumbers: (line) =>
        step(line, `list ${line.businessId}`, () => numbers.get(line.businessId) ?? [`${line.businessId}-only`]),
      hasNumber: ({ accessToken, businessId, phoneId }) =>
        Effect.suspend(() =>
          closedAccounts.has(keyOf(Redacted.value(accessToken), businessId))
            ? Effect.fail(refusedFor("parameter_invalid", 100))
            : Effect.succeed(numbers.get(businessId)?.includes(phoneId) ?? true)
        ),
      addNumber: (line, { phone, verifiedName }) =>
        step(line, `add ${phone}`, () => {
          const id = `added-${phone.slice(1)}`
          if (!health.has(id)) {
            health.set(id, { ...healthy(id), displayPhone: phone, verifiedName })
            setDetails(id, { status: "unverified", codeVerification: "not_verified", platform: "not_applicable" })
            numbers.set(line.businessId, [...(numbers.get(line.businessId) ?? [line.phoneId]), id])
          }
          return id
        }),
      requestCode: (line, { language, method }) =>
        step(
          line,
          `code by ${method} in ${language} ${line.phoneId}`,
          () => void codesSent.set(line.phoneId, "123830")
        ),
      verifyCode: (line, code) =>
        step(line, `verify ${line.phoneId}`, () => {
          if (codesSent.get(line.phoneId) !== Redacted.value(code)) return refusedFor("code_wrong", 136_025)
          codesSent.delete(line.phoneId)
          setDetails(line.phoneId, { codeVerification: "verified", status: "pending" })
        }),
      register: (line, pin) =>
        step(line, `register ${line.phoneId}`, () => {
          const known = pins.get(line.phoneId)
          if (known !== undefined && known !== Redacted.value(pin)) return refusedFor("pin_mismatch", 133_005)
          pins.set(line.phoneId, Redacted.value(pin))
          setDetails(line.phoneId, {
            platform: "cloud_api",
            status: "connected",
            isPinEnabled: true,
            newNameStatus: null
          })
        }),
      deregister: (line) =>
        step(line, `deregister ${line.phoneId}`, () =>
          setDetails(line.phoneId, { platform: "not_applicable", status: "disconnected" })
        ),
      changePin: (line, pin) =>
        step(line, `pin ${line.phoneId}`, () => void pins.set(line.phoneId, Redacted.value(pin))),
      subscribe: (line, override) =>
        step(line, `subscribe ${line.businessId}${override === null ? "" : ` to ${override.url}`}`, () => {
          if (override !== null && !callbacks.has(line.businessId)) return refusedFor("app_not_subscribed", 100)
          callbacks.set(line.businessId, override?.url ?? null)
        }),
      overrideNumber: (line, override) =>
        step(line, `callback ${line.phoneId}${override === null ? "" : ` to ${override.url}`}`, () => {
          const urls = healthOf(line.phoneId).details.webhookUrls ?? { number: null, businessAccount: null, app: null }
          setDetails(line.phoneId, { webhookUrls: { ...urls, number: override?.url ?? null } })
        }),
      unsubscribe: (line) => step(line, `unsubscribe ${line.businessId}`, () => void callbacks.delete(line.businessId)),
      readSubscription: ({ businessId }) =>
        Effect.sync(() => ({
          isSubscribed: callbacks.has(businessId),
          callbackUrl: callbacks.get(businessId) ?? null
        })),
      requestSync: (line, kind) => step(line, `sync ${kind} ${line.phoneId}`, () => nextId("sync")),
      pageOf: (name, { businessId }) => `https://provider.example/${businessId}/${name}`
    },
    deliveries: {
      isSigned,
      parts,
      read,
      handshake: ({ "hub.challenge": challenge, "hub.mode": mode, "hub.verify_token": token = "" }) =>
        mode === "subscribe" && challenge !== undefined ? { challenge, token } : null
    }
  }

  const chatScript = ChatScript.of({
    sent: Effect.sync(() => [...sent]),
    read: Effect.sync(() => [...marked]),
    typed: Effect.sync(() => [...typed]),
    next: (what, to) =>
      Effect.sync(() => {
        script = [...script, { what, to }]
      }),
    setWindow: (to, open) => Effect.sync(() => void (open ? closed.delete(to) : closed.add(to))),
    setHealth: (phoneId, changed) => Effect.sync(() => void health.set(phoneId, { ...healthOf(phoneId), ...changed })),
    setDetails: (phoneId, details) => Effect.sync(() => setDetails(phoneId, details)),
    setPin: (phoneId, pin) => Effect.sync(() => void pins.set(phoneId, pin)),
    pinOf: (phoneId) => Effect.sync(() => pins.get(phoneId) ?? null),
    setNumbers: (businessId, phoneIds) => Effect.sync(() => void numbers.set(businessId, phoneIds)),
    setCallback: (businessId, url) => Effect.sync(() => void callbacks.set(businessId, url)),
    setCode: (phoneId, code) => Effect.sync(() => void codesSent.set(phoneId, code)),
    closeAccount: (accessToken, businessId) =>
      Effect.sync(() => void closedAccounts.add(keyOf(accessToken, businessId))),
    setToken: (accessToken, token) => Effect.sync(() => void tokens.set(accessToken, token)),
    refuseStep: (reason, code) => Effect.sync(() => void (refusedStep = refusedFor(reason, code))),
    steps: Effect.sync(() => [...steps]),
    revoke: (accessToken) => Effect.sync(() => void revoked.add(accessToken)),
    forget: (phoneId) => Effect.sync(() => void forgotten.add(phoneId)),
    addFile: (bytes, mimeType) => Effect.sync(() => addFile(bytes, mimeType)),
    serveLink: (link, bytes, mimeType) => Effect.sync(() => void links.set(link, { bytes, mimeType })),
    addSignupCode: (code, accessToken) => Effect.sync(() => void codes.set(code, accessToken)),
    keepTemplate: (template) =>
      Effect.sync(() => void templates.set(keyOf(template.name, template.language), template)),
    decide: (name, language, status) =>
      Effect.sync(() => {
        const kept = templates.get(keyOf(name, language))
        if (kept !== undefined) templates.set(keyOf(name, language), { ...kept, status })
      }),
    deliver: (events, secret) => {
      const body = new TextEncoder().encode(JSON.stringify({ memory: events }))
      return { body, headers: { [signatureHeader]: `sha256=${sign(secret, body).toString("hex")}` } }
    }
  })

  const ofEndpoints: ChatChannel = {
    sending: {
      ...channel.sending,
      kinds: new Set(["text"]),
      reaches: new Set(["external", "phone"]),
      hasServiceWindow: false
    },
    deliveries: { ...channel.deliveries, parts: partsTo, handshake: () => null },
    endpoints: { loopback: false },
    checking: channel.checking,
    media: null,
    templates: null,
    signup: null,
    onboarding: null
  }
  const channels = new Map<string, ChatChannel>([
    [provider, channel],
    ["webhook", ofEndpoints]
  ])
  return Context.make(ChatChannels, channels).pipe(Context.add(ChatScript, chatScript))
}

/** In-memory channel for WhatsApp, a second channel for accounts with their own address, and the script of both. */
export const layer: Layer.Layer<ChatChannels | ChatScript> = Layer.effectContext(Effect.sync(make))

const has = <Need extends keyof ChatChannel>(channel: ChatChannel, need: Need) => Effect.fromNullishOr(channel[need])

/** The channel of WhatsApp, with everything that there is. */
export const whole = Effect.gen(function* () {
  const channel = yield* Effect.fromNullishOr((yield* ChatChannels).get(provider))
  return {
    sending: channel.sending,
    deliveries: channel.deliveries,
    endpoints: channel.endpoints,
    checking: yield* has(channel, "checking"),
    media: yield* has(channel, "media"),
    templates: yield* has(channel, "templates"),
    signup: yield* has(channel, "signup"),
    onboarding: yield* has(channel, "onboarding")
  } satisfies WholeChannel
}).pipe(Effect.orDie)

/** Runs the effect with another WhatsApp channel, which can override parts of the default one. */
export const through =
  (channel: Partial<ChatChannel>) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.updateService(effect, ChatChannels, (channels) => {
      const before = channels.get(provider)
      return before === undefined ? channels : new Map([...channels, [provider, { ...before, ...channel }]])
    })
