import { Context, Effect, Redacted } from "effect"
import { CurrentActor, CurrentOrganization, hasPermission, type OrganizationId } from "../../kernel/index.ts"
import { type ChatAccount, ChatAccountView } from "./ChatAccount.ts"
import { ChatAccounts } from "./ChatAccounts.ts"
import { openSecret } from "./secrets.ts"

/** The app of this service, through which organizations connect numbers without an app of their own. */
export interface PlatformAppSettings {
  /** Whose app it is: the provider of the accounts that are connected through it. */
  readonly provider: string
  readonly appId: string
  readonly signupConfigurationId: string | null
  /** The secrets that deliveries may be signed with: two while one takes the place of the other. */
  readonly appSecrets: ReadonlyArray<Redacted.Redacted>
  readonly verifyToken: Redacted.Redacted
}

/** How chat is set up on this service. */
export class ChatSettings extends Context.Service<
  ChatSettings,
  {
    /** The address under which the provider reaches this service, without a slash at its end. */
    readonly publicUrl: string
    readonly platformApp: PlatformAppSettings | null
  }
>()("@parley/domain/messaging/chat/ChatSettings") {}

/** The path under which the provider delivers what happens with the platform app. */
export const platformWebhookPath = "/webhooks/chat"

/** Where below that: an own app delivers for all numbers of its organization, an address of its own for its account. */
const webhookSubpath = ({ id, mode, url }: ChatAccount, organizationId: OrganizationId) => {
  if (mode === "platform_app") return ""
  return url === null ? `/${organizationId}` : `/${organizationId}/${id}`
}

/** The accounts as they are shown to whoever asks. */
export const toChatAccountViews = Effect.fnUntraced(function* (accounts: ReadonlyArray<ChatAccount>) {
  const { publicUrl } = yield* ChatSettings
  const organization = yield* CurrentOrganization
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
        webhookUrl: `${publicUrl}${platformWebhookPath}${webhookSubpath(account, organization.id)}`,
        signingSecret: null,
        verifyToken: token === null ? null : Redacted.value(yield* openSecret(account.id, "verify_token", token))
      })
    })
  )
})

/** One account as it is shown to whoever asks. */
export const toChatAccountView = Effect.fnUntraced(function* (account: ChatAccount) {
  const [view] = yield* toChatAccountViews([account])
  return view ?? (yield* Effect.die(new Error("An account was not shown.")))
})
