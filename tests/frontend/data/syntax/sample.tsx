import React, { useState } from "react";

export const Button: React.FC<Props> = ({ label }) => {
  const [on, setOn] = useState(false);
  const toggle = () => setOn(!on);
  return <button onClick={toggle}>{label}</button>;
};

export default function App(): JSX.Element {
  return <Button label="a" />;
}

class Old extends React.Component<{}> {
  render() {
    return <App />;
  }
}
