import { Layer } from "effect"
import * as Accounts from "./Accounts.ts"
import * as AutomationTokens from "./AutomationTokens.ts"
import * as Availabilities from "./Availabilities.ts"
import * as KnownAddresses from "./KnownAddresses.ts"
import * as Members from "./Members.ts"
import * as OperatorTokens from "./OperatorTokens.ts"
import * as OrganizationDirectory from "./OrganizationDirectory.ts"
import * as Organizations from "./Organizations.ts"
import * as PasswordResets from "./PasswordResets.ts"
import * as Sessions from "./Sessions.ts"
import * as SigningKeys from "./SigningKeys.ts"
import * as Users from "./Users.ts"

export const layer = Layer.mergeAll(
  Accounts.layer,
  AutomationTokens.layer,
  Availabilities.layer,
  KnownAddresses.layer,
  Members.layer,
  OperatorTokens.layer,
  OrganizationDirectory.layer,
  Organizations.layer,
  PasswordResets.layer,
  Sessions.layer,
  SigningKeys.layer,
  Users.layer
)
