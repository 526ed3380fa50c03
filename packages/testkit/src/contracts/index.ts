import { auditLog } from "./audit/auditLog.ts"
import { automations } from "./automation/automations.ts"
import { runContracts } from "./contract.ts"
import { docsCodes } from "./docs-handoff/docsCodes.ts"
import { plans } from "./entitlements/plans.ts"
import { eventLog } from "./events/eventLog.ts"
import { accounts } from "./identity/accounts.ts"
import { automationTokens } from "./identity/automationTokens.ts"
import { members } from "./identity/members.ts"
import { organizationDirectory, organizations } from "./identity/organizations.ts"
import { passwordHasher } from "./identity/passwordHasher.ts"
import { sessions } from "./identity/sessions.ts"
import { signingKeys } from "./identity/signingKeys.ts"
import { tokenSigner } from "./identity/tokenSigner.ts"
import { users } from "./identity/users.ts"
import { cursors } from "./kernel/cursors.ts"
import { idempotencyKeys } from "./kernel/idempotencyKeys.ts"
import { ids } from "./kernel/ids.ts"
import { locks } from "./kernel/locks.ts"
import { rateLimits } from "./kernel/rateLimits.ts"
import { unitOfWork } from "./kernel/unitOfWork.ts"
import { vault } from "./kernel/vault.ts"

export type { ContractOptions, Overlap } from "./contract.ts"
export { auditLogContract } from "./audit/auditLog.ts"
export { automationsContract } from "./automation/automations.ts"
export { docsCodesContract } from "./docs-handoff/docsCodes.ts"
export { plansContract } from "./entitlements/plans.ts"
export { eventLogContract } from "./events/eventLog.ts"
export { accountsContract } from "./identity/accounts.ts"
export { automationTokensContract } from "./identity/automationTokens.ts"
export { membersContract } from "./identity/members.ts"
export { organizationDirectoryContract, organizationsContract } from "./identity/organizations.ts"
export { passwordHasherContract } from "./identity/passwordHasher.ts"
export { sessionsContract } from "./identity/sessions.ts"
export { signingKeysContract } from "./identity/signingKeys.ts"
export { tokenSignerContract } from "./identity/tokenSigner.ts"
export { usersContract } from "./identity/users.ts"
export { cursorsContract } from "./kernel/cursors.ts"
export { idempotencyKeysContract } from "./kernel/idempotencyKeys.ts"
export { idsContract } from "./kernel/ids.ts"
export { locksContract } from "./kernel/locks.ts"
export { rateLimitsContract } from "./kernel/rateLimits.ts"
export { unitOfWorkContract } from "./kernel/unitOfWork.ts"
export { vaultContract } from "./kernel/vault.ts"

/** Every storage contract against one adapter, which is started once. The store need not be empty. */
export const allStorageContracts = runContracts([
  signingKeys,
  unitOfWork,
  locks,
  idempotencyKeys,
  rateLimits,
  organizationDirectory,
  organizations,
  users,
  members,
  sessions,
  accounts,
  automationTokens,
  plans,
  auditLog,
  eventLog,
  docsCodes,
  automations
])

/** Every security contract against one adapter. */
export const allSecurityContracts = runContracts([ids, cursors, vault, passwordHasher, tokenSigner])
