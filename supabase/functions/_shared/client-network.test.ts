import { expect, test } from "vitest";
import { clientNetwork } from "./client-network.ts";

test.each([
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2"],
  ["203.0.113.9, 198.51.100.1", "203.0.113.9"],
  ["", undefined],
])("the network of the address %s is %s", (address, network) => {
  expect(clientNetwork(new Request("http://127.0.0.1:3000/", { headers: { "x-forwarded-for": address } }))).toBe(network);
});
