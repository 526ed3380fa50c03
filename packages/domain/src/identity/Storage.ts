import type { Accounts } from "./Accounts.ts"
import type { AutomationTokens } from "./AutomationTokens.ts"
import type { KnownAddresses } from "./KnownAddresses.ts"
import type { Members } from "./Members.ts"
import type { OrganizationDirectory, Organizations } from "./Organizations.ts"
import type { PasswordResets } from "./PasswordResets.ts"
import type { Sessions } from "./Sessions.ts"
import type { SigningKeys } from "./SigningKeys.ts"
import type { Users } from "./Users.ts"

/** What a storage adapter provides of this area. */
export type IdentityStorage =
  | Accounts
  | AutomationTokens
  | KnownAddresses
  | Members
  | OrganizationDirectory
  | Organizations
  | PasswordResets
  | Sessions
  | SigningKeys
  | Users
