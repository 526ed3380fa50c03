import { TestSecurity } from "@parley/testkit"
import { allSecurityContracts } from "@parley/testkit/contracts"

allSecurityContracts("for tests", TestSecurity.layer)
