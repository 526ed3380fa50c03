import { Accounts } from "./Accounts.ts"
import { Availabilities } from "./Availabilities.ts"
import { AutomationTokens } from "./AutomationTokens.ts"
import { KnownAddresses } from "./KnownAddresses.ts"
import { Members } from "./Members.ts"
import { OrganizationDirectory, Organizations } from "./Organizations.ts"
import { PasswordResets } from "./PasswordResets.ts"
import { Sessions } from "./Sessions.ts"
import { SigningKeys } from "./SigningKeys.ts"
import { Users } from "./Users.ts"

/** The ports that a storage adapter provides of this area. */
export const identityStorage = [
  Accounts,
  AutomationTokens,
  Availabilities,
  KnownAddresses,
  Members,
  OrganizationDirectory,
  Organizations,
  PasswordResets,
  Sessions,
  SigningKeys,
  Users
] as const
