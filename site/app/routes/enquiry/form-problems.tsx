import { Message } from "../../ui/message.tsx";

interface FormProblemsProps {
  problem: string;
  /** The errors by the id of their field. */
  errors: readonly (readonly [id: string, text: string | undefined])[];
}

/** A message above a refused form, with a link to each field that has an error. */
export function FormProblems({ problem, errors }: FormProblemsProps) {
  const shown = errors.filter(([, text]) => text !== undefined);
  return (
    <Message tone="error">
      <p>{problem}</p>
      {shown.length > 0 && (
        <ul>
          {shown.map(([id, text]) => (
            <li key={id}>
              <a href={`#${id}`}>{text}</a>
            </li>
          ))}
        </ul>
      )}
    </Message>
  );
}
