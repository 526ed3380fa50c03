import { accounts } from "./accounts.ts"
import { automationTokenAccess } from "./automationTokenAccess.ts"
import { automationTokens } from "./automationTokens.ts"
import { availabilities } from "./availabilities.ts"
import { knownAddresses } from "./knownAddresses.ts"
import { members } from "./members.ts"
import { operatorTokens } from "./operatorTokens.ts"
import { organizationDirectory, organizations } from "./organizations.ts"
import { passwordHasher } from "./passwordHasher.ts"
import { passwordPolicy } from "./passwordPolicy.ts"
import { passwordResets } from "./passwordResets.ts"
import { sessionAccess } from "./sessionAccess.ts"
import { sessions } from "./sessions.ts"
import { signingKeys } from "./signingKeys.ts"
import { tokenSigner } from "./tokenSigner.ts"
import { users } from "./users.ts"

export { accountsContract } from "./accounts.ts"
export { automationTokenAccessContract } from "./automationTokenAccess.ts"
export { automationTokensContract } from "./automationTokens.ts"
export { availabilitiesContract } from "./availabilities.ts"
export { knownAddressesContract } from "./knownAddresses.ts"
export { membersContract } from "./members.ts"
export { operatorTokensContract } from "./operatorTokens.ts"
export { organizationDirectoryContract, organizationsContract } from "./organizations.ts"
export { passwordHasherContract } from "./passwordHasher.ts"
export { passwordPolicyContract } from "./passwordPolicy.ts"
export { passwordResetsContract } from "./passwordResets.ts"
export { sessionAccessContract } from "./sessionAccess.ts"
export { sessionsContract } from "./sessions.ts"
export { signingKeysContract } from "./signingKeys.ts"
export { tokenSignerContract } from "./tokenSigner.ts"
export { usersContract } from "./users.ts"

export const identityContracts = [
  signingKeys,
  organizationDirectory,
  organizations,
  users,
  members,
  operatorTokens,
  availabilities,
  knownAddresses,
  sessions,
  passwordResets,
  accounts,
  sessionAccess,
  automationTokenAccess,
  automationTokens
]

export const identitySecurityContracts = [passwordPolicy, passwordHasher, tokenSigner]
