import { TestSecurity } from "@parley/testkit"
import { passwordHasherContract } from "@parley/testkit/contracts"
import { Layer } from "effect"
import * as ScryptHasher from "../src/ScryptHasher.ts"

passwordHasherContract("the shop's own", Layer.merge(TestSecurity.layer, ScryptHasher.layer))
