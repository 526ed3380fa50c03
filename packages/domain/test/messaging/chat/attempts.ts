import { nextId, transact, Uuid } from "@parley/domain/kernel"
import {
  addChatNumber,
  archiveMessageTemplate,
  changeRegistrationPin,
  type ChatAccountId,
  checkChatAccount,
  connectChatAccount,
  connectThroughPlatformApp,
  createLibraryMessageTemplate,
  createMessageTemplate,
  deleteMessageTemplate,
  deregisterChatAccount,
  editMessageTemplate,
  getChatAccount,
  getMessageTemplate,
  getOnboarding,
  getPlatformApp,
  getRateCard,
  importRateCard,
  importRates,
  type MessageRate,
  listChatAccounts,
  listLibraryTemplates,
  listMessageTemplates,
  listRates,
  MessageTemplate,
  MessageTemplates,
  previewMessageTemplate,
  previewTemplateContent,
  registerChatAccount,
  removeChatAccount,
  requestVerificationCode,
  removeRates,
  reencryptChatSecrets,
  rotateChatSecret,
  submitMessageTemplate,
  subscribeChatAccount,
  syncMessageTemplates,
  unarchiveMessageTemplate,
  unpauseMessageTemplate,
  updateChatAccount,
  updateMessageTemplate,
  upsertAuthenticationTemplates,
  verifyNumber
} from "@parley/domain/messaging"
import { platformOrganizationId } from "@parley/domain/platform"
import { asOperator, givenNumber, MemoryChat } from "@parley/testkit"
import { Effect, Redacted } from "effect"
import {
  asOwner,
  attempt,
  firstPage,
  type Prepare,
  reads,
  type Trace,
  type Values,
  type World
} from "../../attempting.ts"

const fresh = nextId(Uuid)

const given = ({ organization }: World) => givenNumber(organization)

/** A number that is not verified, whose code the provider has sent. */
const givenUnverified = Effect.fnUntraced(function* (world: World) {
  const account = yield* given(world)
  const script = yield* Effect.serviceOption(MemoryChat.ChatScript)
  if (script._tag === "Some") {
    const { externalPhoneId } = account
    yield* script.value.setDetails(externalPhoneId, { codeVerification: "not_verified", platform: "not_applicable" })
    yield* script.value.setCode(externalPhoneId, "123830")
    // The account already shows that it cannot send.
    yield* asOwner(world, checkChatAccount({ id: account.id }))
  }
  return account
})

/** An account with its own endpoint. */
export const givenEndpoint = (world: World) =>
  asOwner(
    world,
    connectChatAccount({ provider: "webhook", displayName: "Shop chat", url: "https://chat.shop.example/parley" })
  )

const components = { body: { text: "Hello {{1}}, welcome.", examples: { "1": "Ada" } } } as const

/** A draft with an unused name: the provider in memory is shared by all organizations. */
const givenTemplate = (world: World) =>
  Effect.gen(function* () {
    const { id: chatAccountId } = yield* given(world)
    const name = `hello_${(yield* fresh).replaceAll("-", "_")}`
    return yield* asOwner(
      world,
      createMessageTemplate({ chatAccountId, name, language: "en", category: "utility", components })
    )
  })

const libraryName = "delivery_update_1"

/** A template that the provider has, approved or in another status here. */
const givenSubmitted = (world: World, status: MessageTemplate["status"] = "approved") =>
  Effect.gen(function* () {
    const { id: chatAccountId } = yield* given(world)
    const name = `delivery_${(yield* fresh).replaceAll("-", "_")}`
    const said = { chatAccountId, libraryName, name, language: "en", category: "utility" } as const
    const template = yield* asOwner(world, createLibraryMessageTemplate(said))
    const decided = new MessageTemplate({ ...template, status })
    return yield* asOwner(
      world,
      transact(Effect.flatMap(MessageTemplates, (templates) => templates.save(decided, template.version)))
    )
  })

const onAccount = (
  id: string,
  action: string,
  before: Values | null,
  after: Values | null,
  event: Trace["event"]
): Trace => ({ action, target: { kind: "chat_account", id }, before, after, event })

/** Entry of a change that the trail describes by its action alone. */
const onChangedAccount = (id: ChatAccountId, action: string): Trace =>
  onAccount(id, action, null, null, { type: "chat_account.updated", chatAccountId: id })

const onTemplate = (
  { id }: Pick<MessageTemplate, "id">,
  action: string,
  before: Values | null,
  after: Values | null,
  event: Trace["event"]
): Trace => ({ action, target: { kind: "message_template", id }, before, after, event })

const onDecided = (
  template: MessageTemplate,
  action: string,
  from: MessageTemplate["status"],
  to: MessageTemplate["status"]
) =>
  onTemplate(
    template,
    action,
    { status: from },
    { status: to },
    { type: "message_template.status_changed", messageTemplateId: template.id, from, to }
  )

const onCard = (currency: string, change: "imported" | "removed") => ({
  action: `rate_cards.${change}`,
  target: { kind: "rate_cards", id: `${currency} 2026-10-01` },
  before: change === "removed" ? { removed: 1 } : null,
  after: change === "imported" ? { imported: 1 } : null,
  place: platformOrganizationId,
  event: null
})

const rateOf = (currency: string): MessageRate => ({
  country: "DE",
  category: "marketing",
  currency,
  amount: 113_100,
  validFrom: "2026-10-01"
})

/** A rate card with one rate in this currency. */
const rateCardOf = (currency: string) =>
  new TextEncoder().encode(`country,category,currency,amount,valid_from\nDE,marketing,${currency},11.31,2026-10-01\n`)

const everyTemplate = { chatAccountId: null, status: null, name: null }

/** A valid attempt at every use case of chat accounts and templates, by the name of the use case. */
export const attempts: Readonly<Record<string, Prepare>> = {
  "rateCards.get": () =>
    Effect.as(
      Effect.orDie(asOperator(importRateCard({ file: rateCardOf("XAC") }))),
      attempt(getRateCard({ currency: "XAC", validFrom: "2026-10-01" }))
    ),
  "rateCards.import": () =>
    Effect.succeed(attempt(importRateCard({ file: rateCardOf("XAA") }), () => onCard("XAA", "imported"))),
  "rateCards.importRates": () =>
    Effect.succeed(attempt(importRates({ rates: [rateOf("XAD")] }), () => onCard("XAD", "imported"))),
  "rateCards.list": reads(() => listRates({ page: firstPage })),
  "rateCards.remove": () =>
    Effect.as(
      Effect.orDie(asOperator(importRateCard({ file: rateCardOf("XAB") }))),
      attempt(removeRates({ currency: "XAB", validFrom: "2026-10-01" }), () => onCard("XAB", "removed"))
    ),
  "chatAccounts.addNumber": (world) =>
    Effect.map(Effect.all([given(world), fresh]), ([{ externalAccountId, id: sister }, mark]) => {
      const digits = String(Number.parseInt(mark.slice(-8), 16) % 10 ** 8).padStart(8, "0")
      const added = addChatNumber({ id: sister, phone: `+49151${digits}`, verifiedName: "Bakery" })
      return attempt(added, ({ externalPhoneId, id }) =>
        onAccount(
          id,
          "chat_account.connected",
          null,
          {
            provider: "whatsapp",
            mode: "own_app",
            displayName: "Bakery",
            externalAccountId,
            externalPhoneId,
            status: "degraded"
          },
          { type: "chat_account.connected", chatAccountId: id }
        )
      )
    }),
  "chatAccounts.requestCode": (world) =>
    Effect.map(givenUnverified(world), ({ id }) =>
      attempt(requestVerificationCode({ id, method: "sms" }), () =>
        onAccount(
          id,
          "chat_account.code_requested",
          null,
          { method: "sms", language: "en_US" },
          { type: "chat_account.updated", chatAccountId: id }
        )
      )
    ),
  "chatAccounts.verifyCode": (world) =>
    Effect.map(givenUnverified(world), ({ id }) =>
      attempt(
        verifyNumber({ id, code: Redacted.make("123830") }),
        () => onChangedAccount(id, "chat_account.verified"),
        [Redacted.make("123830")]
      )
    ),
  "chatAccounts.check": (world) =>
    Effect.map(given(world), ({ id }) =>
      attempt(checkChatAccount({ id }), () =>
        onAccount(id, "chat_account.checked", {}, {}, { type: "chat_account.updated", chatAccountId: id })
      )
    ),
  "chatAccounts.connect": () =>
    Effect.map(fresh, (mark) => {
      const said = {
        displayName: "Bakery",
        externalAccountId: `b-${mark}`,
        externalPhoneId: `p-${mark}`,
        accessToken: Redacted.make(`token-${mark}`),
        appSecret: Redacted.make(`secret-${mark}`)
      }
      const { displayName, externalAccountId, externalPhoneId } = said
      return attempt(
        connectChatAccount(said),
        ({ id }) =>
          onAccount(
            id,
            "chat_account.connected",
            null,
            {
              provider: "whatsapp",
              mode: "own_app",
              displayName,
              externalAccountId,
              externalPhoneId,
              status: "connected"
            },
            { type: "chat_account.connected", chatAccountId: id }
          ),
        said
      )
    }),
  "chatAccounts.changePin": (world) =>
    Effect.map(given(world), ({ id }) => {
      const said = { pin: Redacted.make("150954") }
      return attempt(
        changeRegistrationPin({ id, ...said }),
        () => onChangedAccount(id, "chat_account.pin_changed"),
        said
      )
    }),
  "chatAccounts.deregister": ({ organization }) =>
    Effect.map(givenNumber(organization, { status: "degraded" }), ({ id }) =>
      attempt(deregisterChatAccount({ id }), () => onChangedAccount(id, "chat_account.deregistered"))
    ),
  "chatAccounts.onboarding": (world) => Effect.map(given(world), ({ id }) => attempt(getOnboarding({ id }))),
  "chatAccounts.register": (world) =>
    Effect.gen(function* () {
      const { externalPhoneId, id } = yield* given(world)
      const script = yield* Effect.serviceOption(MemoryChat.ChatScript)
      if (script._tag === "Some")
        yield* script.value.setDetails(externalPhoneId, { platform: "not_applicable", isPinEnabled: false })
      const said = { pin: Redacted.make("150954") }
      return attempt(registerChatAccount({ id, ...said }), () => onChangedAccount(id, "chat_account.registered"), said)
    }),
  "chatAccounts.subscribe": (world) =>
    Effect.map(given(world), ({ id }) =>
      attempt(subscribeChatAccount({ id }), () => onChangedAccount(id, "chat_account.subscribed"))
    ),
  "chatAccounts.reseal": (world) =>
    Effect.map(given(world), ({ id }) =>
      attempt(reencryptChatSecrets(), () => onAccount(id, "chat_account.resealed", null, null, null))
    ),
  "chatAccounts.rotateSecret": (world) =>
    Effect.map(givenEndpoint(world), ({ id }) =>
      attempt(rotateChatSecret({ id }), () =>
        onAccount(id, "chat_account.secret_rotated", null, null, { type: "chat_account.updated", chatAccountId: id })
      )
    ),
  "chatAccounts.signUp": () =>
    Effect.gen(function* () {
      const mark = yield* fresh
      const said = { externalAccountId: `b-${mark}`, externalPhoneId: `p-${mark}` }
      const script = yield* Effect.serviceOption(MemoryChat.ChatScript)
      if (script._tag === "Some") yield* script.value.addSignupCode(`code-${mark}`, `token-${mark}`)
      return attempt(
        connectThroughPlatformApp({ ...said, code: Redacted.make(`code-${mark}`) }),
        ({ id }) =>
          onAccount(
            id,
            "chat_account.connected",
            null,
            {
              provider: "whatsapp",
              mode: "platform_app",
              displayName: "Memory",
              ...said,
              status: "connected"
            },
            { type: "chat_account.connected", chatAccountId: id }
          ),
        [Redacted.make(`code-${mark}`), Redacted.make(`token-${mark}`)]
      )
    }),
  "chatAccounts.get": (world) => Effect.map(given(world), ({ id }) => attempt(getChatAccount({ id }))),
  "chatAccounts.list": reads(() => listChatAccounts({ page: firstPage })),
  "chatAccounts.platformApp": reads(() => getPlatformApp()),
  "chatAccounts.remove": (world) =>
    Effect.map(given(world), ({ displayName, externalAccountId, externalPhoneId, id, mode }) =>
      attempt(removeChatAccount({ id, ifVersion: 1 }), () =>
        onAccount(id, "chat_account.removed", { mode, displayName, externalAccountId, externalPhoneId }, null, {
          type: "chat_account.removed",
          chatAccountId: id
        })
      )
    ),
  "chatAccounts.update": (world) =>
    Effect.map(given(world), ({ displayName, id }) => {
      const said = { displayName: "After", accessToken: Redacted.make(`another token of ${id}`) }
      return attempt(
        updateChatAccount({ id, ...said, ifVersion: 1 }),
        () =>
          onAccount(
            id,
            "chat_account.updated",
            { displayName, replaced: [] },
            { displayName: "After", replaced: ["accessToken"] },
            { type: "chat_account.updated", chatAccountId: id }
          ),
        said
      )
    }),
  "messageTemplates.create": (world) =>
    Effect.map(given(world), ({ id: chatAccountId }) => {
      const said = { chatAccountId, name: "hello", language: "en", category: "utility" } as const
      return attempt(createMessageTemplate({ ...said, components }), (template) =>
        onTemplate(template, "message_template.created", null, said, {
          type: "message_template.created",
          messageTemplateId: template.id
        })
      )
    }),
  "messageTemplates.createFromLibrary": (world) =>
    Effect.gen(function* () {
      const { id: chatAccountId } = yield* given(world)
      const name = `delivery_${(yield* fresh).replaceAll("-", "_")}`
      const said = {
        chatAccountId,
        name,
        language: "en",
        category: "utility",
        libraryName
      } as const
      return attempt(createLibraryMessageTemplate(said), (template) =>
        onTemplate(template, "message_template.created", null, said, {
          type: "message_template.created",
          messageTemplateId: template.id
        })
      )
    }),
  "messageTemplates.edit": (world) =>
    Effect.map(givenSubmitted(world), (template) => {
      const text = "Good day {{1}}, welcome."
      return attempt(
        editMessageTemplate({
          id: template.id,
          components: { body: { text, examples: { "1": "Ada" } } },
          ifVersion: null
        }),
        () =>
          onTemplate(
            template,
            "message_template.edited",
            { body: template.components.body?.text ?? null },
            { body: text },
            { type: "message_template.updated", messageTemplateId: template.id }
          )
      )
    }),
  "messageTemplates.library": (world) =>
    Effect.map(given(world), ({ id }) => attempt(listLibraryTemplates({ chatAccountId: id }))),
  "messageTemplates.unpause": (world) =>
    Effect.map(givenSubmitted(world, "paused"), (template) =>
      attempt(unpauseMessageTemplate({ id: template.id }), () =>
        onDecided(template, "message_template.unpaused", "paused", "approved")
      )
    ),
  "messageTemplates.archive": (world) =>
    Effect.map(givenSubmitted(world), (template) =>
      attempt(archiveMessageTemplate({ id: template.id }), () =>
        onDecided(template, "message_template.archived", "approved", "archived")
      )
    ),
  "messageTemplates.unarchive": (world) =>
    Effect.map(givenSubmitted(world, "archived"), (template) =>
      attempt(unarchiveMessageTemplate({ id: template.id }), () =>
        onDecided(template, "message_template.unarchived", "archived", "approved")
      )
    ),
  "messageTemplates.upsertAuthentication": (world) =>
    Effect.gen(function* () {
      const { id: chatAccountId } = yield* given(world)
      const name = `login_${(yield* fresh).replaceAll("-", "_")}`
      const languages = ["en"]
      const authentication = { transfer: "copy_code" } as const
      return attempt(
        upsertAuthenticationTemplates({ chatAccountId, name, languages, authentication }),
        ({ data: [template] }) =>
          onAccount(
            chatAccountId,
            "message_templates.upserted",
            null,
            { name, languages },
            template === undefined ? null : { type: "message_template.created", messageTemplateId: template.id }
          )
      )
    }),
  "messageTemplates.delete": (world) =>
    Effect.map(givenTemplate(world), (template) => {
      const { category, chatAccountId, id, language, name } = template
      return attempt(deleteMessageTemplate({ id, ifVersion: 1 }), () =>
        onTemplate(template, "message_template.deleted", { chatAccountId, name, language, category }, null, {
          type: "message_template.deleted",
          messageTemplateId: id
        })
      )
    }),
  "messageTemplates.get": (world) => Effect.map(givenTemplate(world), ({ id }) => attempt(getMessageTemplate({ id }))),
  "messageTemplates.list": reads(() => listMessageTemplates({ ...everyTemplate, page: firstPage })),
  "messageTemplates.preview": (world) =>
    Effect.map(givenTemplate(world), ({ id }) => attempt(previewMessageTemplate({ id, values: { "body.1": "Ada" } }))),
  "messageTemplates.previewContent": reads(() =>
    previewTemplateContent({ category: "utility", components: { body: { text: "Your order is ready." } } })
  ),
  "messageTemplates.submit": (world) =>
    Effect.map(givenTemplate(world), (template) =>
      attempt(submitMessageTemplate({ id: template.id }), () =>
        onTemplate(
          template,
          "message_template.submitted",
          { status: "draft" },
          { status: "pending" },
          {
            type: "message_template.status_changed",
            messageTemplateId: template.id,
            from: "draft",
            to: "pending"
          }
        )
      )
    ),
  "messageTemplates.sync": (world) =>
    Effect.gen(function* () {
      const { id } = yield* given(world)
      const name = `kept_${(yield* fresh).replaceAll("-", "_")}`
      const line = { accessToken: Redacted.make("any"), phoneId: "any", businessId: "any" }
      yield* Effect.orDie(
        (yield* MemoryChat.whole).templates.submit(line, {
          name,
          language: "en",
          category: "utility",
          components: { body: { text: "Hello." } },
          timeToLive: null,
          handles: new Map()
        })
      )
      const sync = Effect.gen(function* () {
        const counts = yield* syncMessageTemplates({ chatAccountId: id })
        const { data } = yield* listMessageTemplates({ ...everyTemplate, name, chatAccountId: id, page: firstPage })
        return { counts, template: data[0] }
      })
      return attempt(sync, ({ counts, template }) =>
        onAccount(
          id,
          "message_templates.synced",
          null,
          counts,
          template === undefined ? null : { type: "message_template.created", messageTemplateId: template.id }
        )
      )
    }),
  "messageTemplates.update": (world) =>
    Effect.map(givenTemplate(world), (template) =>
      attempt(updateMessageTemplate({ id: template.id, category: "marketing", ifVersion: 1 }), () =>
        onTemplate(
          template,
          "message_template.updated",
          { category: "utility" },
          { category: "marketing" },
          { type: "message_template.updated", messageTemplateId: template.id }
        )
      )
    )
}
