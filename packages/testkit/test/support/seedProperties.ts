import { Arbitrary } from "effect"

// Properties without their own seed draw the same values in every run, so a failure occurs for all developers.
Arbitrary.configureGlobal({ check: { seed: "parley" } })
