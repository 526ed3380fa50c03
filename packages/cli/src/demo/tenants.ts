/** Who is in the demo. Nobody else can have these addresses: `.example` is set aside for examples. */
export const demoTenants = [
  { organization: { name: "Acme", slug: "acme", plan: "growth" }, user: { name: "Dana Demo", email: "demo@parley.example" } },
  {
    organization: { name: "Corner Shop", slug: "corner-shop", plan: "free" },
    user: { name: "Frida Free", email: "free@parley.example" }
  }
] as const
