import { Context, type Redacted } from "effect"

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
