import { Context, Effect, Redacted } from "effect"
import {
  CurrentActor,
  CurrentOrganization,
  hasPermission,
  isLoopbackUrl,
  type OrganizationId
} from "../../kernel/index.ts"
import { type ChatAccount, ChatAccountView } from "./ChatAccount.ts"
import { ChatAccounts } from "./ChatAccounts.ts"
import { openSecret } from "./secrets.ts"

/** App of this service for organizations without their own app. */
export interface PlatformAppSettings {
  /** Provider of the app and of the accounts that are connected through it. */
  readonly provider: string
  readonly appId: string
  readonly signupConfigurationId: string | null
  /** Secrets that can sign deliveries; two during a rotation. */
  readonly appSecrets: ReadonlyArray<Redacted.Redacted>
  readonly verifyToken: Redacted.Redacted
}

export class ChatSettings extends Context.Service<
  ChatSettings,
  {
    /** URL at which the provider reaches this service, without a trailing slash. */
    readonly publicUrl: string
    readonly platformApp: PlatformAppSettings | null
  }
>()("@parley/domain/messaging/chat/ChatSettings") {}

/** Path of the platform app's webhook. */
export const platformWebhookPath = "/webhooks/chat"

/** Returns the path below the platform webhook path. An own app delivers for all numbers of its organization; a URL account delivers for itself. */
const webhookSubpath = ({ id, mode, url }: ChatAccount, organizationId: OrganizationId) => {
  if (mode === "platform_app") return ""
  return url === null ? `/${organizationId}` : `/${organizationId}/${id}`
}

/** Returns the URL at which the provider delivers events of the account. */
export const webhookUrlOf = Effect.fnUntraced(function* (account: ChatAccount) {
  const { publicUrl } = yield* ChatSettings
  return `${publicUrl}${platformWebhookPath}${webhookSubpath(account, (yield* CurrentOrganization).id)}`
})

/**
 * Returns whether a URL is the webhook URL of the account. The API serves it under its prefix, too. On this machine the port can differ: commands on
 * the database do not know the port of the service.
 */
export const webhookUrlTest = Effect.fnUntraced(function* (account: ChatAccount) {
  const { publicUrl } = yield* ChatSettings
  const path = `${platformWebhookPath}${webhookSubpath(account, (yield* CurrentOrganization).id)}`
  const isLocal = isLoopbackUrl(publicUrl)
  return (url: string): boolean =>
    url.endsWith(path) && (url.startsWith(`${publicUrl}/`) || (isLocal && isLoopbackUrl(url)))
})

/** Returns the accounts in the form for the current actor. */
export const toChatAccountViews = Effect.fnUntraced(function* (accounts: ReadonlyArray<ChatAccount>) {
  const showsTokens = hasPermission(yield* CurrentActor, "chat_accounts.manage")
  const own = accounts.filter(({ mode }) => mode === "own_app").map(({ id }) => id)
  const secrets = showsTokens && own.length > 0 ? yield* (yield* ChatAccounts).secrets(own) : []
  const sealed = new Map(secrets.map(({ id, verifyToken }) => [id, verifyToken]))
  return yield* Effect.forEach(
    accounts,
    Effect.fnUntraced(function* (account) {
      const token = sealed.get(account.id) ?? null
      return new ChatAccountView({
        ...account,
        webhookUrl: yield* webhookUrlOf(account),
        signingSecret: null,
        registrationPin: null,
        verifyToken: token === null ? null : Redacted.value(yield* openSecret(account.id, "verify_token", token))
      })
    })
  )
})

/** Returns one account in the form for the current actor. */
export const toChatAccountView = Effect.fnUntraced(function* (account: ChatAccount) {
  const [view] = yield* toChatAccountViews([account])
  return view ?? (yield* Effect.die(new Error("An account was not shown.")))
})
