import { expect, test } from "vitest";
import { DatabaseError } from "../db/database.ts";
import { createDatabaseBudget } from "./database-budget.ts";

function createClock() {
  let time = 0;
  const budget = createDatabaseBudget(() => time);
  const pass = (ms: number): void => {
    time += ms;
  };
  async function spend(network: string, ms: number, failure?: Error, waitMs = 0): Promise<number> {
    const begun = Promise.resolve();
    let cost = 0;
    const work = async (): Promise<void> => {
      pass(waitMs);
      await begun;
      pass(ms);
      if (failure) throw failure;
    };
    await budget.spend(network, { work, begun }, (costMs) => (cost = costMs));
    return cost;
  }
  return { budget, pass, spend };
}

const refused = { name: "OverBudgetError" };
const timedOut = new DatabaseError("canceling statement due to statement timeout", { code: "57014" });

test("a network may use three seconds at once and then a tenth of the time", async () => {
  const { budget, pass, spend } = createClock();
  for (let turn = 0; turn < 8; turn += 1) await spend("a", 425);
  expect(() => budget.check("a")).toThrow(expect.objectContaining({ ...refused, retryAfterS: 2 }));
  await expect(spend("a", 1)).rejects.toMatchObject(refused);
  budget.check("b");
  pass(2000);
  budget.check("a");
});

test("a statement that reaches its timeout uses up the budget for a minute", async () => {
  const { budget, pass, spend } = createClock();
  await expect(spend("a", 500, timedOut)).rejects.toBe(timedOut);
  expect(() => budget.check("a")).toThrow(expect.objectContaining({ retryAfterS: 60 }));
  pass(59_000);
  expect(() => budget.check("a")).toThrow("too much database time");
  pass(1000);
  budget.check("a");
});

test("a statement that its client cancels costs only its time", async () => {
  const { budget, spend } = createClock();
  for (let time = 0; time < 10; time += 1) await expect(spend("a", 20, timedOut)).rejects.toBe(timedOut);
  budget.check("a");
});

test("an outage of the database costs nothing", async () => {
  const { budget, spend } = createClock();
  const outage = new DatabaseError("The database server cannot be reached.", { code: "08006" });
  await expect(spend("a", 5000, outage)).rejects.toBe(outage);
  budget.check("a");
});

test("a statement that waited costs no more than the longest one", async () => {
  const { budget, spend } = createClock();
  await spend("a", 10_000);
  expect(() => budget.check("a")).not.toThrow();
});

test("a network is not charged for waiting before its work begins", async () => {
  const { spend } = createClock();
  expect(await spend("a", 10, undefined, 400)).toBe(10);
});

test("a network is fast while its recent requests take little time on average, however many they are", async () => {
  const { budget, pass, spend } = createClock();
  expect(budget.isFast("a")).toBe(false);
  for (let turn = 0; turn < 100; turn += 1) {
    await spend("a", 60);
    expect(budget.isFast("a")).toBe(true);
    pass(540);
  }
  await spend("a", 400);
  expect(budget.isFast("a")).toBe(false);
  for (let turn = 0; turn < 4; turn += 1) await spend("a", 10);
  expect(budget.isFast("a")).toBe(true);
});
